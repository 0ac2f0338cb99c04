#include "uci/chenserver/clerk.hpp"

#include "tests/core/positions.hpp"

using namespace uci::chenserver;

namespace {

/// A clerk who is asked lines at a time of the test's choice.
class Counter {
public:
    std::variant<std::string, Thinking> hand_in(const std::string& line) {
        const auto reading = read_question(line);
        const auto* question = std::get_if<Question>(&reading);
        INFO(line);
        REQUIRE(question);
        return clerk.answer(*question, now);
    }
    std::string ask(const std::string& line) {
        const auto answer = hand_in(line);
        const auto* text = std::get_if<std::string>(&answer);
        return text ? *text : "(thinking)";
    }
    Thinking think_of(const std::string& line) {
        const auto answer = hand_in(line);
        INFO(line);
        REQUIRE(std::holds_alternative<Thinking>(answer));
        return std::get<Thinking>(answer);
    }

    Clerk clerk;
    Shelf::Time now{};
};

}  // namespace

TEST_CASE("think is handed on with its game and time", "[chenserver]") {
    Counter counter;
    counter.ask("game a move e4");
    const auto thinking = counter.think_of("game a think 300000");
    CHECK(thinking.verb == Verb::think);
    CHECK(thinking.game_name == "a");
    CHECK(thinking.time == engine::Milliseconds{300'000});
    CHECK(core::fen(thinking.game.position())
          == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK(counter.ask("game a history") == "OK 1 e2e4");
}

TEST_CASE("think plays its move, hint does not", "[chenserver]") {
    Counter counter;
    const auto move = tests::move_of(core::Position::start(), "Nf3");
    const auto hint = counter.think_of("hint 1");
    CHECK(counter.clerk.finish(hint, move, counter.now) == "OK g1f3 Nf3");
    CHECK(counter.ask("history") == "OK 0");
    const auto thinking = counter.think_of("think 1");
    CHECK(counter.clerk.finish(thinking, move, counter.now) == "OK g1f3 Nf3");
    CHECK(counter.ask("history pgn") == "OK 1 Nf3");
}

TEST_CASE("the game that a move was thought of for may be gone", "[chenserver]") {
    Counter counter;
    const auto thinking = counter.think_of("game a think 1");
    counter.now += Shelf::longest_rest;
    for (std::size_t i = 0; i < Shelf::most_games; ++i)
        counter.ask("game g" + std::to_string(i) + " move e4");
    const auto move = tests::move_of(core::Position::start(), "Nf3");
    CHECK(counter.clerk.finish(thinking, move, counter.now) == "OK g1f3 Nf3");
    CHECK(counter.ask("game g0 history") == "OK 1 e2e4");
}

TEST_CASE("errors come in the order of the checks", "[chenserver]") {
    const auto [before, line, answer] = GENERATE(table<std::string, std::string, std::string>({
        {"new", "legal x y", "BAD_FORMAT"},
        {"new", "legal alg x", "BAD_ARGS"},
        {"new", "history x y", "BAD_FORMAT"},
        {"new", "history pgn pgn", "BAD_ARGS"},
        {"new", "think", "BAD_ARGS"},
        {"new", "think 0", "BAD_THINK_TIME"},
        {"new", "think 300001", "BAD_THINK_TIME"},
        {"new", "think 300000", "(thinking)"},
        {"new", "think 1", "(thinking)"},
        {"new", "evaluate", "(thinking)"},
        {"move f3 e5 g4 Qh4", "think 1 2", "BAD_ARGS"},
        {"move f3 e5 g4 Qh4", "think x", "GAME_OVER"},
        {"move f3 e5 g4 Qh4", "hint x", "GAME_OVER"},
        {"move f3 e5 g4 Qh4", "evaluate", "(thinking)"},
        {"new", "undo 1 1", "BAD_ARGS"},
        {"new", "undo 9223372036854775807", "BAD_NUM_TURNS"},
        {"new", "undo 9223372036854775808", "BAD_NUM_TURNS"},
        {"new", "undo -9223372036854775808", "BAD_NUM_TURNS"},
        {"new", "test e4 e4", "BAD_ARGS"},
        {"new", "test x", "ILLEGAL"},
        {"new", "move e4 e5 x y", "BAD_MOVE x"},
    }));
    CAPTURE(before, line);
    Counter counter;
    counter.ask(before);
    const auto history = counter.ask("history");
    CHECK(counter.ask(line) == answer);
    CHECK(counter.ask("history") == history);
}

TEST_CASE("a game has only so many plies", "[chenserver]") {
    Counter counter;
    std::string line = "move";
    for (std::size_t i = 0; i < Shelf::most_plies; i += 4)
        line += " Nf3 Nf6 Ng1 Ng8";
    CHECK(counter.ask(line) == "OK " + std::to_string(Shelf::most_plies));
    CHECK(counter.ask("move") == "OK 0");
    CHECK(counter.ask("move e4") == "BAD_MOVE e4");
    CHECK(counter.ask("think 1") == "GAME_OVER");
    CHECK(counter.ask("undo 1") == "OK");
    CHECK(counter.ask("move Ng8 e4") == "BAD_MOVE e4");
    CHECK(counter.ask("move Ng8") == "OK 1");
}

TEST_CASE("positions are set up, and refused with a reason", "[chenserver]") {
    Counter counter;
    for (const auto fen : tests::varied_positions) {
        CAPTURE(fen);
        const auto answer = counter.ask("setup " + std::string{fen});
        if (answer == "BAD_POSITION castling: only that of standard chess can be told here")
            continue;
        REQUIRE(answer == "OK");
        CHECK(counter.ask("history") == "OK 0");
        CHECK(counter.ask("undo 1") == "BAD_NUM_TURNS");
    }
    counter.ask("setup start");
    const std::string fen =
        GENERATE("x", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1",
                 "4k3/8/8/8/8/8/8/1K5R w H - 0 1", "start start",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 more");
    CAPTURE(fen);
    CHECK(counter.ask("setup " + fen).substr(0, 13) == "BAD_POSITION ");
    CHECK(counter.ask("status") == "* rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

TEST_CASE("only to look at a game takes no place on the shelf", "[chenserver]") {
    Counter counter;
    for (std::size_t i = 0; i < Shelf::most_games; ++i) {
        REQUIRE(counter.ask("game g" + std::to_string(i) + " legal").substr(0, 5) == "OK 20");
        REQUIRE(counter.ask("game h" + std::to_string(i) + " move e4") == "OK 1");
    }
    CHECK(counter.ask("game more move e4") == "TOO_MANY_GAMES");
    CHECK(counter.ask("game more history") == "OK 0");
    CHECK(counter.ask("game h1 history") == "OK 1 e2e4");
    CHECK(counter.ask("move d4") == "OK 1");
}
