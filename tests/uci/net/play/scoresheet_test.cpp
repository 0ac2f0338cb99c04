#include "uci/net/play/scoresheet.hpp"

#include "core/fen.hpp"

#include "tests/catch.hpp"

using uci::net::play::Scoresheet;
using Lines = std::vector<std::string>;

namespace {

void play(core::Game& game, const Lines& moves) {
    REQUIRE(game.play(moves));
}

}  // namespace

TEST_CASE("moves are written down as they are played", "[scoresheet]") {
    core::Game game;
    Scoresheet sheet;
    CHECK(sheet.of(game).empty());
    play(game, {"e2e4"});
    CHECK(sheet.of(game) == Lines{"e4"});
    play(game, {"e7e5", "g1f3", "b8c6"});
    CHECK(sheet.of(game) == Lines{"e4", "e5", "Nf3", "Nc6"});
    CHECK(sheet.of(game) == Lines{"e4", "e5", "Nf3", "Nc6"});
}

TEST_CASE("another game has a sheet of its own", "[scoresheet]") {
    Scoresheet sheet;
    core::Game first;
    play(first, {"e4", "e5"});
    sheet.of(first);
    core::Game second;
    play(second, {"d4", "d5", "c4"});
    CHECK(sheet.of(second) == Lines{"d4", "d5", "c4"});
    core::Game third{*core::read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")};
    play(third, {"O-O"});
    CHECK(sheet.of(third) == Lines{"O-O"});
    CHECK(sheet.of(core::Game{}).empty());
}

TEST_CASE("a game that was taken back is written down anew", "[scoresheet]") {
    core::Game game;
    Scoresheet sheet;
    play(game, {"e4", "e5"});
    sheet.of(game);
    game.undo(1);
    CHECK(sheet.of(game) == Lines{"e4"});
    play(game, {"c5"});
    CHECK(sheet.of(game) == Lines{"e4", "c5"});
}
