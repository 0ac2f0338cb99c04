#include "uci/util/lru_cache.hpp"

#include <string>

#include "tests/catch.hpp"

using uci::util::LruCache;

TEST_CASE("a full cache drops the least recently used entry", "[util]") {
    LruCache<int, std::string> cache{2};
    cache.set(1, "one");
    cache.set(2, "two");
    SECTION("reading an entry keeps it") {
        CHECK(cache.find(1) == "one");
        cache.set(3, "three");
        CHECK_FALSE(cache.find(2));
        CHECK(cache.find(1) == "one");
        CHECK(cache.find(3) == "three");
    }
    SECTION("replacing an entry keeps it") {
        cache.set(1, "another one");
        cache.set(3, "three");
        CHECK_FALSE(cache.find(2));
        CHECK(cache.find(1) == "another one");
    }
}

TEST_CASE("an erased entry can be set again and is counted once", "[util]") {
    LruCache<int, int> cache{2};
    cache.set(1, 1);
    cache.erase(1);
    CHECK_FALSE(cache.find(1));
    cache.set(1, 2);
    cache.set(2, 2);
    CHECK(cache.find(1) == 2);
    cache.set(3, 3);
    CHECK_FALSE(cache.find(2));
    CHECK(cache.find(1) == 2);
    CHECK(cache.find(3) == 3);
}
