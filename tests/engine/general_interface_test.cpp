#include "engine/general_interface.hpp"

#include "core/fen.hpp"
#include "core/movegen.hpp"

#include "tests/engine/client.hpp"

using namespace engine;
using tests::Client;
using tests::count_of;

namespace {

constexpr const char* start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* checkmated = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
constexpr const char* stalemated = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
constexpr const char* rook_ending = "4k3/8/8/8/8/8/4P3/4KR2 w - - 0 1";

Snapshot snapshot_of(Client& client) {
    client.engine().ask(1);
    return client.next_of<Snapshot>();
}

std::string fen_of(Client& client) {
    return core::fen(snapshot_of(client).game.position());
}

/// Waits until a search that reports has begun.
void await_search(Client& client) {
    client.next_of<Info>();
}

}  // namespace

TEST_CASE("an engine has a name, a version and an author", "[general_interface]") {
    CHECK(GeneralInterface::name() == "Parley");
    CHECK_FALSE(GeneralInterface::version().empty());
    CHECK_FALSE(GeneralInterface::author().empty());
}

TEST_CASE("an engine can be made and destroyed unused", "[general_interface]") {
    for (int i = 0; i < 5; ++i)
        const GeneralInterface engine;
}

TEST_CASE("an engine can be destroyed during a search", "[general_interface]") {
    GeneralInterface engine;
    engine.go(tests::without_end());
    engine.wait_until_ready();
}

TEST_CASE("a game is set from texts or as a value", "[general_interface]") {
    Client client;
    CHECK(fen_of(client) == start_fen);
    client.engine().set_game(std::nullopt, {"e2e4", "e5"});
    CHECK(fen_of(client) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    core::Game game;
    REQUIRE(game.play(std::vector<std::string>{"e4", "e5", "Nf3"}));
    client.engine().set_game(game);
    CHECK(snapshot_of(client).game.moves() == game.moves());
    client.engine().set_game(rook_ending, {});
    CHECK(fen_of(client) == rook_ending);
}

TEST_CASE("a game that is refused leaves the old one", "[general_interface]") {
    Client client;
    client.engine().set_game(rook_ending, {"e2e4"});
    const auto before = fen_of(client);
    SECTION("because of its FEN") {
        client.engine().set_game("8/8/8/8/8/8/8/8 w - - 0 1", {});
    }
    SECTION("because of its last move") {
        client.engine().set_game(std::nullopt, {"e2e4", "e7e5", "e1e3"});
    }
    CHECK_FALSE(client.next_of<Refused>().reason.empty());
    CHECK(fen_of(client) == before);
    CHECK(snapshot_of(client).game.moves().size() == 1);
}

TEST_CASE("a snapshot has the id of its request and what was requested", "[general_interface]") {
    Client client;
    const auto of_detail = [&](SnapshotDetail detail) {
        client.engine().ask(17, detail);
        return client.next_of<Snapshot>();
    };
    const auto game = of_detail(SnapshotDetail::game);
    CHECK(game.id == 17);
    CHECK_FALSE(game.evaluation);
    CHECK_FALSE(game.wdl);
    const auto evaluation = of_detail(SnapshotDetail::evaluation);
    CHECK(evaluation.evaluation);
    CHECK(evaluation.wdl);
    CHECK_FALSE(evaluation.contributions[0]);
    const auto contributions = of_detail(SnapshotDetail::contributions);
    CHECK(contributions.evaluation == evaluation.evaluation);
    CHECK(contributions.contributions[0]);
}

TEST_CASE("ask is answered during a search, which goes on", "[general_interface]") {
    Client client;
    client.engine().set_game(std::nullopt, {"e2e4"});
    client.engine().go(tests::without_end());
    await_search(client);
    CHECK(snapshot_of(client).game.moves().size() == 1);
    await_search(client);
    client.engine().stop();
    CHECK(client.answer().best.move);
}

TEST_CASE("each go is answered by exactly one best move", "[general_interface]") {
    Client client;
    auto& engine = client.engine();
    int searches = 1;
    SECTION("stopped at once") {
        engine.go(tests::without_end());
        engine.stop();
    }
    SECTION("stopped twice") {
        engine.go(tests::without_end());
        engine.stop();
        engine.stop();
    }
    SECTION("stopped when it had ended") {
        engine.go(tests::to_depth(1));
        engine.wait_until_idle();
        engine.stop();
    }
    SECTION("only stops are sent") {
        searches = 0;
        engine.stop();
        engine.ponder_hit();
        engine.stop();
    }
    CHECK(count_of<BestMove>(client.until_idle()) == searches);
}

TEST_CASE("commands during a search do not lose its best move", "[general_interface]") {
    Client client;
    auto& engine = client.engine();
    int searches = 1;
    SECTION("another go comes during the search") {
        searches = 3;
        engine.go(tests::without_end());
        engine.wait_until_ready();
        engine.go(tests::pondering());
        engine.go(tests::to_depth(2));
    }
    SECTION("many at once") {
        searches = 50;
        for (int i = 0; i < searches; ++i)
            engine.go(tests::to_depth(3));
    }
    SECTION("many with a stop each") {
        searches = 50;
        for (int i = 0; i < searches; ++i) {
            engine.go(tests::without_end());
            engine.stop();
        }
    }
    SECTION("a new game and a position come in between") {
        searches = 2;
        engine.go(tests::without_end());
        engine.new_game();
        engine.set_game(rook_ending, {});
        engine.go(tests::to_depth(2));
    }
    SECTION("a bench comes during the search") {
        engine.go(tests::without_end());
        engine.bench(1);
    }
    SECTION("a perft comes during the search") {
        engine.go(tests::without_end());
        engine.perft(1);
    }
    CHECK(count_of<BestMove>(client.until_idle()) == searches);
}

TEST_CASE("a pondering search and one without moves send one best move", "[general_interface]") {
    Client client;
    auto& engine = client.engine();
    int searches = 1;
    SECTION("pondering, then hit") {
        engine.go(tests::pondering(tests::to_depth(2)));
        engine.ponder_hit();
    }
    SECTION("pondering, then hit twice and stopped") {
        engine.go(tests::pondering());
        engine.ponder_hit();
        engine.ponder_hit();
        engine.stop();
    }
    SECTION("pondering, then stopped") {
        engine.go(tests::pondering(tests::to_depth(2)));
        engine.stop();
    }
    SECTION("no move is legal") {
        searches = 2;
        engine.set_game(checkmated, {});
        engine.go(tests::to_depth(5));
        engine.set_game(stalemated, {});
        engine.go(tests::without_end());
        engine.stop();
    }
    CHECK(count_of<BestMove>(client.until_idle()) == searches);
}

TEST_CASE("a search sends its best move even on quit", "[general_interface]") {
    Client client;
    client.engine().go(tests::without_end());
    if (GENERATE(true, false))
        client.engine().wait_until_ready();
    client.engine().quit();
    CHECK(client.answer().best.move);
    CHECK_FALSE(client.next());
    CHECK_FALSE(client.next());
}

TEST_CASE("an infinite search withholds its best move until the stop", "[general_interface]") {
    Client client;
    auto limits = tests::without_end();
    limits.depth = 2;
    client.engine().go(limits);
    client.engine().wait_until_ready();
    client.engine().ponder_hit();
    std::this_thread::sleep_for(Milliseconds{50});
    client.engine().ask(5);
    while (const auto response = client.next()) {
        REQUIRE_FALSE(std::holds_alternative<BestMove>(*response));
        if (std::holds_alternative<Snapshot>(*response))
            break;
    }
    client.engine().stop();
    CHECK(client.answer().best.move);
}

TEST_CASE("a pondering search withholds its best move until the hit", "[general_interface]") {
    Client client;
    client.engine().go(tests::pondering(tests::to_depth(2)));
    client.engine().wait_until_ready();
    std::this_thread::sleep_for(Milliseconds{50});
    client.engine().ask(5);
    while (const auto response = client.next()) {
        REQUIRE_FALSE(std::holds_alternative<BestMove>(*response));
        if (std::holds_alternative<Snapshot>(*response))
            break;
    }
    client.engine().ponder_hit();
    CHECK(client.answer().best.move);
}

TEST_CASE("the time for a move counts from the ponder hit", "[general_interface]") {
    Client client;
    Limits limits;
    limits.movetime = Milliseconds{100};
    client.engine().go(tests::pondering(limits));
    std::this_thread::sleep_for(Milliseconds{150});
    const auto hit = std::chrono::steady_clock::now();
    client.engine().ponder_hit();
    client.answer();
    const auto taken = std::chrono::steady_clock::now() - hit;
    CHECK(taken >= Milliseconds{80});
    CHECK(taken < Milliseconds{5'000});
}

TEST_CASE("a search that ends before any move has a score gives the evaluation",
          "[general_interface]") {
    Client client;
    Limits limits;
    limits.nodes = 1;
    client.engine().go(limits);
    const auto best = client.next_of<BestMove>();
    CHECK(best.move);
    CHECK(std::abs(best.score) < 300);
}

TEST_CASE("without a legal move there is no best move, and a score says why",
          "[general_interface]") {
    const auto [fen, score] =
        GENERATE(table<const char*, Score>({{checkmated, mated_in(0)}, {stalemated, draw}}));
    CAPTURE(fen);
    Client client;
    SECTION("at once") {
        const auto answer = client.search(fen, tests::to_depth(5));
        CHECK_FALSE(answer.best.move);
        CHECK_FALSE(answer.best.ponder);
        CHECK(answer.last().score == score);
        CHECK(answer.last().pv.empty());
    }
    SECTION("but in an infinite search only after the stop") {
        client.engine().set_game(fen, {});
        client.engine().go(tests::without_end());
        client.engine().wait_until_ready();
        client.engine().ask(5);
        while (const auto response = client.next()) {
            REQUIRE_FALSE(std::holds_alternative<BestMove>(*response));
            if (std::holds_alternative<Snapshot>(*response))
                break;
        }
        client.engine().stop();
        CHECK_FALSE(client.answer().best.move);
    }
}

TEST_CASE("commands that wait for the end of a search do not affect it", "[general_interface]") {
    Client client;
    client.engine().go(tests::without_end());
    await_search(client);
    client.engine().set_game(rook_ending, {});
    client.engine().stop();
    const auto answer = client.answer();
    REQUIRE(answer.best.move);
    CHECK(core::is_legal(core::Position::start(), *answer.best.move));
    CHECK(fen_of(client) == rook_ending);
}

TEST_CASE("the engine is ready after all commands so far", "[general_interface]") {
    Client client;
    for (int i = 0; i < 200; ++i) {
        client.engine().set_option("Hash", "none at all");
        client.engine().wait_until_ready();
        client.engine().sync(1);
        CHECK(std::holds_alternative<Refused>(*client.next()));
        CHECK(std::holds_alternative<Synced>(*client.next()));
    }
}

TEST_CASE("the engine is ready after a command that follows a best move", "[general_interface]") {
    Client client;
    int early = 0;
    for (int i = 0; i < 2'000; ++i) {
        client.search(tests::to_nodes(1));
        client.engine().set_option("Hash", "none at all");
        client.engine().wait_until_ready();
        client.engine().sync(1);
        early += std::holds_alternative<Synced>(*client.next()) ? 1 : 0;
        client.next();
    }
    CHECK(early == 0);
}

TEST_CASE("the engine is ready at once during a search", "[general_interface]") {
    Client client;
    client.engine().go(tests::without_end());
    client.engine().wait_until_ready();
    client.engine().sync(1);
    CHECK(client.next_of<Synced>().id == 1);
    client.engine().stop();
    client.answer();
}

TEST_CASE("an impossible option value is refused and the engine works on", "[general_interface]") {
    Client client;
    client.engine().set_option("Hash", "33554432");
    CHECK(client.next_of<Refused>().reason == "Hash not changed: not enough memory or threads");
    CHECK(client.search(tests::to_depth(5)).best.move);
    for (const char* name : {"Hash", "Threads", "Move Overhead", "MultiPV", "Ponder", "No such"}) {
        client.engine().set_option(name, "rubbish");
        CHECK_FALSE(client.next_of<Refused>().reason.empty());
    }
    CHECK(client.search(tests::to_depth(5)).best.move);
}

TEST_CASE("options decide how a search's results are presented", "[general_interface]") {
    Client client;
    const bool on = GENERATE(true, false);
    client.engine().set_option("UCI_ShowWDL", on ? "true" : "false");
    client.engine().set_option("UCI_Chess960", on ? "true" : "false");
    const auto style =
        on ? core::CastlingStyle::king_takes_rook : core::CastlingStyle::king_moves_two;
    const auto answer = client.search(rook_ending, tests::to_depth(4));
    REQUIRE_FALSE(answer.infos.empty());
    for (const auto& info : answer.infos) {
        CHECK(info.wdl.has_value() == on);
        CHECK((!on || info.wdl->win + info.wdl->draw + info.wdl->loss == 1000));
        CHECK(info.castling == style);
    }
    CHECK(answer.best.castling == style);
    CHECK(answer.best.score == answer.last().score);
    CHECK(client.search(checkmated, tests::to_depth(4)).last().wdl.has_value() == on);
}

TEST_CASE("options change while games are played", "[general_interface]") {
    Client client;
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"Hash", "1"},
                                                          {"Threads", "3"},
                                                          {"Hash", "7"},
                                                          {"Threads", "1"},
                                                          {"Clear Hash", ""},
                                                          {"MultiPV", "2"},
                                                          {"Threads", "2"},
                                                          {"UCI_Chess960", "true"}}) {
        CAPTURE(name, value);
        client.engine().set_option(name, value);
        CHECK(client.search(tests::to_depth(4)).best.move);
    }
    CHECK(count_of<Refused>(client.until_idle()) == 0);
}

TEST_CASE("perft counts the leaves in total and of each root move", "[general_interface]") {
    Client client;
    client.engine().perft(3);
    const auto report = client.next_of<PerftReport>();
    CHECK(report.total == 8'902);
    CHECK(report.leaves.size() == 20);
    std::uint64_t sum = 0;
    for (const auto& [move, leaves] : report.leaves)
        sum += leaves;
    CHECK(sum == report.total);
    client.engine().set_game(checkmated, {});
    client.engine().perft(3);
    CHECK(client.next_of<PerftReport>().total == 0);
}

TEST_CASE("perft and bench end with stop or quit, and ask waits for that", "[general_interface]") {
    Client client;
    const bool bench = GENERATE(true, false);
    if (bench)
        client.engine().bench(60);
    else
        client.engine().perft(30);
    client.engine().wait_until_ready();
    client.engine().ask(5);
    SECTION("a stop") {
        client.engine().stop();
        CHECK_FALSE(client.next_of<Notice>().text.empty());
        CHECK(client.next_of<Snapshot>().id == 5);
        CHECK(client.search(tests::to_depth(2)).best.move);
    }
    SECTION("the end") {
        client.engine().quit();
        while (const auto response = client.next())
            CHECK((std::holds_alternative<Notice>(*response)
                   || std::holds_alternative<Snapshot>(*response)));
    }
}

TEST_CASE("perft and bench are finished before the next command", "[general_interface]") {
    Client client;
    client.engine().perft(4);
    client.engine().go(tests::to_depth(2));
    client.engine().bench(1);
    client.engine().go(tests::to_depth(2));
    CHECK(client.next_of<PerftReport>().total == 197'281);
    client.answer();
    CHECK(client.next_of<BenchReport>().nodes > 0);
    client.answer();
}

TEST_CASE("markers keep their place among the responses", "[general_interface]") {
    Client client;
    client.engine().sync(1);
    client.engine().sync(2);
    CHECK(std::get<Synced>(*client.next()).id == 1);
    CHECK(std::get<Synced>(*client.next()).id == 2);
}

TEST_CASE("several threads may use an engine at the same time", "[general_interface]") {
    Client client;
    constexpr int each = 30;
    std::vector<std::thread> talkers;
    for (int i = 0; i < 3; ++i) {
        talkers.emplace_back([&] {
            for (int j = 0; j < each; ++j) {
                client.engine().go(tests::to_depth(2));
                client.engine().ask(1);
                client.engine().stop();
                client.engine().wait_until_ready();
            }
        });
    }
    for (auto& talker : talkers)
        talker.join();
    const auto responses = client.until_idle();
    CHECK(count_of<BestMove>(responses) == 3 * each);
    CHECK(count_of<Snapshot>(responses) == 3 * each);
}
