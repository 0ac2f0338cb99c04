#include "uci/store/memory_store.hpp"

#include "uci/store/store_factory.hpp"

#include "tests/uci/store/contract.hpp"

using uci::store::MemoryStore;

TEST_CASE("the memory store keeps games and sessions", "[store]") {
    MemoryStore store{{}};
    tests::check_store(store);
}

TEST_CASE("the memory store keeps documents", "[store]") {
    MemoryStore store{{}};
    tests::check_documents(store);
}

TEST_CASE("the memory store forgets documents that nobody changed for a day", "[store]") {
    auto now = std::chrono::system_clock::now();
    MemoryStore store{{{}, {5, 5, 3}}, [&] { return now; }};
    REQUIRE(*store.put_document("a", {}, "1"));
    REQUIRE(*store.put_document("b", {}, "1"));
    now += std::chrono::hours{23};
    REQUIRE(*store.put_document("a", "1", "2"));
    now += std::chrono::hours{2};
    CHECK(*store.find_document("a"));
    CHECK_FALSE(*store.find_document("b"));
    for (const auto* id : {"c", "d", "e"})
        REQUIRE(*store.put_document(id, {}, "1"));
    CHECK_FALSE(*store.find_document("a"));
    CHECK(*store.find_document("c"));
}

TEST_CASE("the memory store forgets what nobody used for a week or a month", "[store]") {
    auto now = std::chrono::system_clock::now();
    MemoryStore store{{}, [&] { return now; }};
    REQUIRE(*store.add_game(1, "played"));
    REQUIRE(*store.replace_game(1, "played", "moved"));
    REQUIRE(*store.add_game(2, "never played"));
    REQUIRE(*store.add_session("used", "mine"));
    REQUIRE(*store.find_session("used"));
    REQUIRE(*store.add_session("unused", "mine"));
    now += std::chrono::hours{8 * 24};
    CHECK(*store.find_game(1));
    CHECK_FALSE(*store.find_game(2));
    CHECK(*store.find_session("used"));
    CHECK_FALSE(*store.find_session("unused"));
    CHECK(*store.add_game(2, "a new one"));
    now += std::chrono::hours{31 * 24};
    CHECK_FALSE(*store.find_game(1));
    CHECK_FALSE(*store.replace_game(1, "moved", "too late"));
    CHECK_FALSE(*store.find_session("used"));
}

TEST_CASE("a full memory store forgets unused records before used ones", "[store]") {
    MemoryStore store{{{}, {5, 5}}};
    REQUIRE(*store.add_game(1, "record"));
    REQUIRE(*store.replace_game(1, "record", "after a move"));
    for (int id = 100; id < 120; ++id) {
        REQUIRE(*store.add_game(id, "never played"));
        REQUIRE(*store.add_session(std::to_string(id), "never used again"));
    }
    CHECK(*store.find_game(1));
    CHECK(*store.find_game(119));
    CHECK_FALSE(*store.find_game(100));
    CHECK_FALSE(*store.find_session("100"));
    CHECK(*store.find_session("119"));
}

TEST_CASE("the store's option chooses memory, which is also the choice without SQLite", "[store]") {
    using uci::store::Backend;
    CHECK(uci::store::resolve("memory", {}).backend == Backend::memory);
    CHECK(uci::store::resolve("games.sqlite", {}).backend == Backend::sqlite);
    CHECK(uci::store::resolve("", {}).backend
          == (uci::store::has_sqlite() ? Backend::sqlite : Backend::memory));
    uci::store::StoreConfig redis;
    redis.backend = Backend::redis;
    CHECK(uci::store::resolve("", redis).backend == Backend::redis);
}
