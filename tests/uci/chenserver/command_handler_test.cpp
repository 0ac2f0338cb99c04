#include "uci/chenserver/command_handler.hpp"

#include "core/fen.hpp"

#include "engine/strength_level.hpp"

#include "uci/chenserver/limits.hpp"

#include "tests/core/positions.hpp"

using namespace uci::chenserver;

namespace {

/// A command handler that gets lines at a time of the test's choice.
class Client {
public:
    std::variant<std::string, SearchRequest> execute(const std::string& line) {
        const auto parsed = parse_command(line);
        const auto* command = std::get_if<Command>(&parsed);
        INFO(line);
        REQUIRE(command);
        return handler.execute(*command, now);
    }
    std::string ask(const std::string& line) {
        const auto answer = execute(line);
        const auto* text = std::get_if<std::string>(&answer);
        return text ? *text : "(search)";
    }
    SearchRequest search_for(const std::string& line) {
        const auto answer = execute(line);
        INFO(line);
        REQUIRE(std::holds_alternative<SearchRequest>(answer));
        return std::get<SearchRequest>(answer);
    }

    CommandHandler handler;
    GameRegistry::Time now{};
};

}  // namespace

TEST_CASE("think is a search request with its game and time", "[chenserver]") {
    Client client;
    client.ask("game a move e4");
    const auto request = client.search_for("game a think 300000");
    CHECK(request.kind == CommandKind::think);
    CHECK(request.game_name == "a");
    CHECK(request.time == engine::Milliseconds{300'000});
    CHECK(core::fen(request.game.position())
          == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK(client.ask("game a history") == "OK 1 e2e4");
}

TEST_CASE("think plays its move, hint does not", "[chenserver]") {
    Client client;
    const auto move = tests::move_of(core::Position::start(), "Nf3");
    const auto hint = client.search_for("hint 1");
    CHECK(client.handler.finish(hint, move, client.now) == "OK g1f3 Nf3");
    CHECK(client.ask("history") == "OK 0");
    const auto request = client.search_for("think 1");
    CHECK(client.handler.finish(request, move, client.now) == "OK g1f3 Nf3");
    CHECK(client.ask("history pgn") == "OK 1 Nf3");
}

TEST_CASE("the game of a search may be removed before the search ends", "[chenserver]") {
    Client client;
    const auto request = client.search_for("game a think 1");
    client.now += idle_ttl;
    for (std::size_t i = 0; i < max_games; ++i)
        client.ask("game g" + std::to_string(i) + " move e4");
    const auto move = tests::move_of(core::Position::start(), "Nf3");
    CHECK(client.handler.finish(request, move, client.now) == "OK g1f3 Nf3");
    CHECK(client.ask("game g0 history") == "OK 1 e2e4");
}

TEST_CASE("arguments are checked in a fixed order", "[chenserver]") {
    const auto [before, line, answer] = GENERATE(table<std::string, std::string, std::string>({
        {"new", "legal x y", "BAD_FORMAT"},
        {"new", "legal alg x", "BAD_ARGS"},
        {"new", "history x y", "BAD_FORMAT"},
        {"new", "history pgn pgn", "BAD_ARGS"},
        {"new", "think", "BAD_ARGS"},
        {"new", "think 0", "BAD_THINK_TIME"},
        {"new", "think 300001", "BAD_THINK_TIME"},
        {"new", "think 300000", "(search)"},
        {"new", "think 1", "(search)"},
        {"new", "evaluate", "(search)"},
        {"move f3 e5 g4 Qh4", "think 1 2", "BAD_ARGS"},
        {"move f3 e5 g4 Qh4", "think x", "GAME_OVER"},
        {"move f3 e5 g4 Qh4", "hint x", "GAME_OVER"},
        {"move f3 e5 g4 Qh4", "evaluate", "(search)"},
        {"new", "undo 1 1", "BAD_ARGS"},
        {"new", "undo 9223372036854775807", "BAD_NUM_TURNS"},
        {"new", "undo 9223372036854775808", "BAD_NUM_TURNS"},
        {"new", "undo -9223372036854775808", "BAD_NUM_TURNS"},
        {"new", "test e4 e4", "BAD_ARGS"},
        {"new", "test x", "ILLEGAL"},
        {"new", "move e4 e5 x y", "BAD_MOVE x"},
    }));
    CAPTURE(before, line);
    Client client;
    client.ask(before);
    const auto history = client.ask("history");
    CHECK(client.ask(line) == answer);
    CHECK(client.ask("history") == history);
}

TEST_CASE("a closed game begins anew", "[chenserver]") {
    Client client;
    client.ask("game a move e4");
    CHECK(client.ask("game a close") == "OK");
    CHECK(client.ask("game a history") == "OK 0");
    CHECK(client.ask("game b close") == "OK");
}

TEST_CASE("a game has at most max_plies plies", "[chenserver]") {
    Client client;
    std::string line = "move";
    for (std::size_t i = 0; i < max_plies; i += 4)
        line += " Nf3 Nf6 Ng1 Ng8";
    CHECK(client.ask(line) == "OK " + std::to_string(max_plies));
    CHECK(client.ask("move") == "OK 0");
    CHECK(client.ask("move e4") == "BAD_MOVE e4");
    CHECK(client.ask("think 1") == "GAME_OVER");
    CHECK(client.ask("undo 1") == "OK");
    CHECK(client.ask("move Ng8 e4") == "BAD_MOVE e4");
    CHECK(client.ask("move Ng8") == "OK 1");
}

TEST_CASE("setup takes legal positions and refuses others with a reason", "[chenserver]") {
    Client client;
    for (const auto fen : tests::varied_positions) {
        CAPTURE(fen);
        const auto answer = client.ask("setup " + std::string{fen});
        if (answer == "BAD_POSITION castling: only that of standard chess is possible here")
            continue;
        REQUIRE(answer == "OK");
        CHECK(client.ask("history") == "OK 0");
        CHECK(client.ask("undo 1") == "BAD_NUM_TURNS");
    }
    client.ask("setup start");
    const std::string fen =
        GENERATE("x", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1",
                 "4k3/8/8/8/8/8/8/1K5R w H - 0 1", "start start",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 more");
    CAPTURE(fen);
    CHECK(client.ask("setup " + fen).substr(0, 13) == "BAD_POSITION ");
    CHECK(client.ask("status") == "* rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

TEST_CASE("a command that only reads adds no game", "[chenserver]") {
    Client client;
    for (std::size_t i = 0; i < max_games; ++i) {
        REQUIRE(client.ask("game g" + std::to_string(i) + " legal").substr(0, 5) == "OK 20");
        REQUIRE(client.ask("game h" + std::to_string(i) + " move e4") == "OK 1");
    }
    CHECK(client.ask("game more move e4") == "TOO_MANY_GAMES");
    CHECK(client.ask("game more history") == "OK 0");
    CHECK(client.ask("game h1 history") == "OK 1 e2e4");
    CHECK(client.ask("move d4") == "OK 1");
}

TEST_CASE("a game has a level, at which think plays but not hint", "[chenserver]") {
    Client client;
    CHECK(client.ask("level") == "OK full");
    CHECK_FALSE(client.search_for("think 5").elo);
    for (const int elo : {engine::min_elo, 1500, engine::max_elo}) {
        const auto text = std::to_string(elo);
        CHECK(client.ask("level " + text) == "OK");
        CHECK(client.ask("level") == "OK " + text);
        CHECK(client.search_for("think 5").elo == elo);
        CHECK_FALSE(client.search_for("hint 5").elo);
        CHECK_FALSE(client.search_for("game other think 5").elo);
    }
    for (const char* bad : {"599", "2801", "-1", "1500.5", "high", "Full"}) {
        CAPTURE(bad);
        CHECK(client.ask("level " + std::string{bad}) == "BAD_LEVEL");
        CHECK(client.ask("level") == "OK 2800");
    }
    CHECK(client.ask("level 1500 now") == "BAD_ARGS");
    const auto before = client.search_for("think 5");
    CHECK(client.ask("new") == "OK");
    const auto after = client.search_for("think 5");
    CHECK(after.elo == before.elo);
    CHECK(after.game_number != before.game_number);
    CHECK(client.ask("level full") == "OK");
    CHECK_FALSE(client.search_for("think 5").elo);
}
