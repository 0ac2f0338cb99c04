#include "uci/net/recent.hpp"

#include <string>

#include "tests/catch.hpp"

using uci::net::Recent;

TEST_CASE("the oldest is forgotten when there are too many", "[net]") {
    Recent<int, std::string> recent{2};
    recent.set(1, "one");
    recent.set(2, "two");
    recent.set(1, "another one");
    CHECK(recent.find(1) == "another one");
    recent.set(3, "three");
    CHECK_FALSE(recent.find(1));
    CHECK(recent.find(2) == "two");
    CHECK(recent.find(3) == "three");
}

TEST_CASE("what is forgotten on purpose may come back", "[net]") {
    Recent<int, int> recent{2};
    recent.set(1, 1);
    recent.forget(1);
    CHECK_FALSE(recent.find(1));
    recent.set(1, 2);
    CHECK(recent.find(1) == 2);
}
