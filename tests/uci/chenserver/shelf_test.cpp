#include "uci/chenserver/shelf.hpp"

#include "tests/core/positions.hpp"

using uci::chenserver::Shelf;

namespace {

void play(core::Game& game, const char* move) {
    game.play(tests::move_of(game.position(), move));
}

/// A shelf with as many games as there may be.
Shelf full_shelf(Shelf::Time now) {
    Shelf shelf;
    for (std::size_t i = 0; i < Shelf::most_games; ++i)
        REQUIRE(shelf.add("g" + std::to_string(i), now));
    return shelf;
}

}  // namespace

TEST_CASE("the shared game is always there", "[chenserver]") {
    Shelf shelf = full_shelf({});
    REQUIRE(shelf.find("", {}));
    play(*shelf.find("", {}), "e4");
    CHECK(shelf.find("", Shelf::Time{} + 100 * Shelf::longest_rest)->moves().size() == 1);
    CHECK(shelf.count() == Shelf::most_games);
}

TEST_CASE("games lie where they were put", "[chenserver]") {
    Shelf shelf;
    CHECK_FALSE(shelf.find("a", {}));
    play(*shelf.add("a", {}), "e4");
    play(*shelf.add("b", {}), "d4");
    CHECK(shelf.find("a", {})->moves() != shelf.find("b", {})->moves());
    CHECK_FALSE(shelf.find("A", {}));
    CHECK(shelf.count() == 2);
}

TEST_CASE("a full shelf takes no more games until some have rested long", "[chenserver]") {
    const Shelf::Time start{};
    Shelf shelf = full_shelf(start);
    CHECK_FALSE(shelf.add("more", start));
    const auto later = start + Shelf::longest_rest - std::chrono::seconds{1};
    CHECK_FALSE(shelf.add("more", later));
    CHECK(shelf.find("g7", later));
    const auto much_later = start + Shelf::longest_rest;
    CHECK(shelf.add("more", much_later));
    CHECK(shelf.count() == 2);
    CHECK(shelf.find("g7", much_later));
    CHECK_FALSE(shelf.find("g8", much_later));
}

TEST_CASE("games that rest are kept as long as there is room", "[chenserver]") {
    Shelf shelf;
    play(*shelf.add("a", {}), "e4");
    const auto much_later = Shelf::Time{} + 100 * Shelf::longest_rest;
    CHECK(shelf.add("b", much_later));
    CHECK(shelf.find("a", much_later)->moves().size() == 1);
}
