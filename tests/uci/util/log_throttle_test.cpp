#include "uci/util/log_throttle.hpp"

#include "tests/catch.hpp"

using namespace std::chrono_literals;
using uci::util::LogThrottle;

TEST_CASE("of many errors one is logged in each interval, and the others are counted", "[log]") {
    LogThrottle log{10s};
    const LogThrottle::Time start{};
    CHECK(log.line("first", start) == "first");
    CHECK_FALSE(log.line("second", start + 1s));
    CHECK_FALSE(log.line("third", start + 9s));
    CHECK(log.line("fourth", start + 10s) == "fourth (2 more errors since the last line)");
    CHECK(log.line("fifth", start + 30s) == "fifth");
}

TEST_CASE("an error cannot begin a line of its own in the log", "[log]") {
    CHECK(LogThrottle{}.line("a\nparley: b\x1b[2J\x7f", {}) == "a?parley: b?[2J?");
}
