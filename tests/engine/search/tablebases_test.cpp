#include <cstdlib>

#include "core/movegen.hpp"

#include "tests/core/positions.hpp"
#include "tests/engine/client.hpp"
#include "tests/engine/random_positions.hpp"
#include "tests/engine/search/problem.hpp"
#include "tests/engine/tablebase/tables.hpp"

using namespace engine;
using tests::Client;

namespace {

void use_tables(Client& client, const std::string& path = tests::table_folder()) {
    client.engine().set_option("SyzygyPath", path);
    for (const auto& response : client.until_idle())
        CHECK_FALSE(std::holds_alternative<Refused>(response));
}

/// Lets both sides play until the game is over, with a few nodes a move.
core::Game play_out(Client& client, const core::Position& start, std::uint64_t nodes) {
    core::Game game{start};
    while (game.outcome() == core::Outcome::open) {
        client.engine().post(SetGameTo{game, 0});
        const auto answer = client.search(tests::to_nodes(nodes));
        REQUIRE(answer.best.move);
        game.play(*answer.best.move);
    }
    return game;
}

/// A legal position with these men and White to move that White wins by the tables.
core::Position random_win(const tablebase::Tablebases& tables,
                          std::string_view men,
                          tests::Dice& dice) {
    for (;;) {
        core::Setup setup;
        bool placed = true;
        for (const char letter : men) {
            auto& square = setup.board[dice.roll(64)];
            placed = placed && !square;
            square = core::Piece::read(letter);
        }
        const auto position = core::Position::from(setup);
        if (placed && position && tables.probe_wdl(*position) == tablebase::WdlScore::win)
            return *position;
    }
}

}  // namespace

TEST_CASE("a root that the tables know keeps its result", "[search][tablebase]") {
    Client client;
    use_tables(client);
    // The only move that does not stalemate or lose the queen is searched, whatever the depth.
    const auto answer = client.search("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", tests::to_depth(1));
    CHECK(answer.move() != "c1c7");
    CHECK(answer.last().tbhits > 0);
    CHECK((is_decisive(answer.last().score) && answer.last().score > 0));
}

TEST_CASE("a draw by the tables is a draw", "[search][tablebase]") {
    Client client;
    use_tables(client);
    const auto answer = client.search("8/8/8/8/1k6/8/P7/K7 w - - 0 1", tests::to_depth(8));
    CHECK(answer.last().score == draw);
}

TEST_CASE("several threads use the tables at once", "[search][tablebase]") {
    Client client;
    client.engine().set_option("Threads", "8");
    use_tables(client);
    const auto answer = client.search("8/2n5/8/8/8/k7/8/2R4K w - - 0 1", tests::to_nodes(100'000));
    CHECK(answer.last().tbhits > 0);
    CHECK(is_decisive(answer.last().score));
}

TEST_CASE("the search is the same without tables and with those that do not matter",
          "[search][tablebase]") {
    constexpr auto fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    Client without;
    Client with;
    use_tables(with);
    const auto limits = tests::to_depth(8);
    CHECK(without.search(fen, limits).last().nodes == with.search(fen, limits).last().nodes);
}

TEST_CASE("won endings are won in time, and no piece is given away", "[search][tablebase]") {
    // With PARLEY_SYZYGY also KBNvK and KQvKR, a hundred of each.
    const char* const more = std::getenv("PARLEY_SYZYGY");
    const auto [men, pieces] = GENERATE(table<const char*, int>(
        {{"KQk", 3}, {"KRk", 3}, {"KRRk", 4}, {"KBNk", 4}, {"KQkr", 0}, {"KRPkr", 0}}));
    const auto tables = tests::all_tables();
    const auto path = tests::table_folder() + (more ? ";" + std::string{more} : "");
    const auto test =
        tests::position_of(std::string_view{men} == "KBNk"    ? "7k/8/8/8/8/8/8/KBN5 w - - 0 1"
                           : std::string_view{men} == "KQkr"  ? "7k/r7/8/8/8/8/8/KQ6 w - - 0 1"
                           : std::string_view{men} == "KRPkr" ? "7k/r7/8/8/8/8/P7/1K1R4 w - - 0 1"
                                                              : "7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    if (!tables->probe_dtz(test))
        return;
    Client client;
    use_tables(client, path);
    tests::Dice dice{17};
    const int games = more ? 100 : 5;
    for (int i = 0; i < games; ++i) {
        const auto start = random_win(*tables, men, dice);
        const auto game = play_out(client, start, 1'000);
        CAPTURE(men, core::fen(start), core::fen(game.position()));
        CHECK(game.outcome() == core::Outcome::checkmate);
        CHECK(game.position().side_to_move() == core::Color::black);
        if (pieces > 0)
            CHECK(game.position().pieces().count() == pieces);
    }
}
