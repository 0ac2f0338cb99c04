#include "uci/chenserver/game_registry.hpp"

#include "uci/chenserver/limits.hpp"

#include "tests/core/positions.hpp"

using namespace uci::chenserver;

namespace {

void play(core::Game& game, const char* move) {
    game.play(tests::move_of(game.position(), move));
}

/// A registry with as many games as allowed.
GameRegistry full_registry(GameRegistry::Time now) {
    GameRegistry registry;
    for (std::size_t i = 0; i < max_games; ++i)
        REQUIRE(registry.add("g" + std::to_string(i), now));
    return registry;
}

}  // namespace

TEST_CASE("the shared game is always there", "[chenserver]") {
    GameRegistry registry = full_registry({});
    REQUIRE(registry.find("", {}));
    play(registry.find("", {})->game, "e4");
    CHECK(registry.find("", GameRegistry::Time{} + 100 * idle_ttl)->game.moves().size() == 1);
    CHECK(registry.count() == max_games);
}

TEST_CASE("games with different names are independent", "[chenserver]") {
    GameRegistry registry;
    CHECK_FALSE(registry.find("a", {}));
    play(registry.add("a", {})->game, "e4");
    play(registry.add("b", {})->game, "d4");
    CHECK(registry.find("a", {})->game.moves() != registry.find("b", {})->game.moves());
    CHECK_FALSE(registry.find("A", {}));
    CHECK(registry.count() == 2);
}

TEST_CASE("a full registry adds no game until others have expired", "[chenserver]") {
    const GameRegistry::Time start{};
    GameRegistry registry = full_registry(start);
    CHECK_FALSE(registry.add("more", start));
    const auto later = start + idle_ttl - std::chrono::seconds{1};
    CHECK_FALSE(registry.add("more", later));
    CHECK(registry.find("g7", later));
    const auto much_later = start + idle_ttl;
    CHECK(registry.add("more", much_later));
    CHECK(registry.count() == 2);
    CHECK(registry.find("g7", much_later));
    CHECK_FALSE(registry.find("g8", much_later));
}

TEST_CASE("expired games are kept as long as there is room", "[chenserver]") {
    GameRegistry registry;
    play(registry.add("a", {})->game, "e4");
    const auto much_later = GameRegistry::Time{} + 100 * idle_ttl;
    CHECK(registry.add("b", much_later));
    CHECK(registry.find("a", much_later)->game.moves().size() == 1);
}
