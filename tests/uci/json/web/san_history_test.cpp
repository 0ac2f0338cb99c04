#include "uci/json/web/san_history.hpp"

#include "core/fen.hpp"

#include "tests/catch.hpp"

using uci::json::web::SanHistory;
using Lines = std::vector<std::string>;

namespace {

void play(core::Game& game, const Lines& moves) {
    REQUIRE(game.play(moves));
}

}  // namespace

TEST_CASE("new moves are appended in SAN", "[san_history]") {
    core::Game game;
    SanHistory history;
    CHECK(history.update(game).empty());
    play(game, {"e2e4"});
    CHECK(history.update(game) == Lines{"e4"});
    play(game, {"e7e5", "g1f3", "b8c6"});
    CHECK(history.update(game) == Lines{"e4", "e5", "Nf3", "Nc6"});
    CHECK(history.update(game) == Lines{"e4", "e5", "Nf3", "Nc6"});
}

TEST_CASE("another game starts a new history", "[san_history]") {
    SanHistory history;
    core::Game first;
    play(first, {"e4", "e5"});
    history.update(first);
    core::Game second;
    play(second, {"d4", "d5", "c4"});
    CHECK(history.update(second) == Lines{"d4", "d5", "c4"});
    core::Game third{*core::read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")};
    play(third, {"O-O"});
    CHECK(history.update(third) == Lines{"O-O"});
    CHECK(history.update(core::Game{}).empty());
}

TEST_CASE("a game with undone moves is written again", "[san_history]") {
    core::Game game;
    SanHistory history;
    play(game, {"e4", "e5"});
    history.update(game);
    REQUIRE(game.undo(1));
    CHECK(history.update(game) == Lines{"e4"});
    play(game, {"c5"});
    CHECK(history.update(game) == Lines{"e4", "c5"});
}
