#include "uci/chenserver/game_registry.hpp"

#include "uci/chenserver/limits.hpp"

#include "tests/core/positions.hpp"

using namespace uci::chenserver;

namespace {

void play(core::Game& game, const char* move) {
    game.play(tests::move_of(game.position(), move));
}

/// A registry with as many games as allowed, each with a move.
GameRegistry full_registry(GameRegistry::Time now) {
    GameRegistry registry;
    for (std::size_t i = 0; i < max_games; ++i) {
        auto* const served = registry.add("g" + std::to_string(i), now);
        REQUIRE(served);
        play(served->game, "e4");
    }
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

TEST_CASE("games without moves make room at once, others do not", "[chenserver]") {
    GameRegistry registry = full_registry({});
    registry.find("g1", {})->game = {};
    registry.find("g2", {})->game = {};
    CHECK_FALSE(registry.add("more", {}));
    const auto later = GameRegistry::Time{} + idle_ttl_without_move;
    CHECK(registry.find("g2", later));
    CHECK(registry.add("more", later));
    CHECK_FALSE(registry.find("g1", later));
    CHECK(registry.find("g2", later));
    CHECK(registry.count() == max_games);
}

TEST_CASE("a game that is removed makes room", "[chenserver]") {
    GameRegistry registry = full_registry({});
    registry.remove("g1");
    registry.remove("unknown");
    CHECK_FALSE(registry.find("g1", {}));
    CHECK(registry.add("more", {}));
}

TEST_CASE("the plies of all games together are limited", "[chenserver]") {
    GameRegistry registry{{.plies_of_all = 6}};
    for (const char* name : {"a", "b"}) {
        auto& game = registry.add(name, {})->game;
        play(game, "e4");
        play(game, "e5");
        registry.count_plies(name);
    }
    CHECK(registry.max_plies_of("a") == 4);
    CHECK(registry.max_plies_of("new") == 2);
    CHECK(registry.max_plies_of("") == max_plies);
    CHECK(registry.find("a", {})->game.undo(1));
    registry.count_plies("a");
    CHECK(registry.max_plies_of("new") == 3);
    registry.remove("b");
    CHECK(registry.max_plies_of("new") == 5);
    CHECK(GameRegistry{}.max_plies_of("new") == max_plies);
}

TEST_CASE("the games that one client begins are limited", "[chenserver]") {
    const GameRegistry::Time start{};
    GameRegistry registry{{.games_of_client = 2}};
    for (const char* name : {"a", "b"})
        play(registry.add(name, start, "one")->game, "e4");
    CHECK_FALSE(registry.add("c", start, "one"));
    CHECK(registry.add("c", start, "another"));
    for (const char* name : {"d", "e", "f"})
        CHECK(registry.add(name, start));  // from this machine
    registry.remove("a");
    CHECK(registry.add("a", start, "one"));
    CHECK_FALSE(registry.add("g", start, "one"));
    // Without a move, "a" makes room.
    CHECK(registry.add("g", start + std::chrono::minutes{1}, "one"));
    CHECK_FALSE(registry.contains("a"));
    CHECK(registry.contains("b"));
}

TEST_CASE("the plies of the games that one client has begun are limited", "[chenserver]") {
    GameRegistry registry{{.plies_of_client = 5}};
    for (const char* name : {"a", "b"}) {
        auto& game = registry.add(name, {}, "one")->game;
        play(game, "e4");
        play(game, "e5");
        registry.count_plies(name);
    }
    registry.add("other", {}, "another");
    registry.add("own", {});
    CHECK(registry.max_plies_of("a") == 3);
    CHECK(registry.max_plies_of("other") == 5);
    CHECK(registry.max_plies_of("own") == max_plies);
    registry.remove("b");
    CHECK(registry.max_plies_of("a") == 5);
    CHECK(registry.find("a", {})->game.undo(2));
    registry.count_plies("a");
    CHECK(registry.max_plies_of("a") == 5);
    CHECK(registry.max_plies_of("") == max_plies);
}

TEST_CASE("expired games are kept as long as there is room", "[chenserver]") {
    GameRegistry registry;
    play(registry.add("a", {})->game, "e4");
    const auto much_later = GameRegistry::Time{} + 100 * idle_ttl;
    CHECK(registry.add("b", much_later));
    CHECK(registry.find("a", much_later)->game.moves().size() == 1);
}
