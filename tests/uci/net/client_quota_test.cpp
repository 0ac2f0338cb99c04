#include "uci/net/client_quota.hpp"

#include "tests/catch.hpp"

using namespace uci::net;
using namespace std::chrono_literals;
using boost::asio::ip::make_address;

TEST_CASE("limits count by IPv4 address and by /64 network in IPv6", "[net]") {
    CHECK(client_key(make_address("192.0.2.1")) == "192.0.2.1");
    CHECK(client_key(make_address("::ffff:192.0.2.1")) == "192.0.2.1");
    CHECK(client_key(make_address("2001:db8:0:1::5")) == "2001:db8:0:1::");
    CHECK(client_key(make_address("2001:db8:0:1:ffff::")) == "2001:db8:0:1::");
    CHECK(client_key(make_address("2001:db8:0:2::5")) != "2001:db8:0:1::");
}

TEST_CASE("this machine has no limits", "[net]") {
    for (const char* address : {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "0.0.0.0"})
        CHECK(client_key(make_address(address)).empty());
    RateLimiter limiter{1, 1s};
    for (int i = 0; i < 100; ++i)
        CHECK(limiter.allow("", {}));
}

TEST_CASE("a client has a burst of requests, then one for each interval", "[net]") {
    RateLimiter limiter{3, 10s};
    const RateLimiter::Time start{};
    for (int i = 0; i < 3; ++i)
        CHECK(limiter.allow("a", start));
    CHECK_FALSE(limiter.allow("a", start));
    CHECK(limiter.allow("b", start));
    CHECK_FALSE(limiter.allow("a", start + 9s));
    CHECK(limiter.allow("a", start + 10s));
    CHECK_FALSE(limiter.allow("a", start + 10s));
    for (int i = 0; i < 3; ++i)
        CHECK(limiter.allow("a", start + 100s));
    CHECK_FALSE(limiter.allow("a", start + 100s));
}
