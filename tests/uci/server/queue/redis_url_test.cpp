#if defined(PARLEY_REDIS)

#include "uci/server/queue/redis_url.hpp"

#include "tests/catch.hpp"

using uci::server::queue::read_redis_url;

TEST_CASE("a URL of Redis has host, port, user, password and database", "[queue]") {
    const auto full = read_redis_url("redis://anna:p%40ss:1@example.org:7000/3");
    REQUIRE(full);
    CHECK(full->host == "example.org");
    CHECK(full->port == 7'000);
    CHECK(full->user == "anna");
    CHECK(full->password == "p@ss:1");
    CHECK(full->database == 3);
    const auto plain = read_redis_url("redis://localhost");
    REQUIRE(plain);
    CHECK(plain->port == 6'379);
    CHECK(plain->password.empty());
    const auto six = read_redis_url("redis://:secret@[::1]:1/");
    REQUIRE(six);
    CHECK(six->host == "::1");
    CHECK(six->port == 1);
    CHECK(six->user.empty());
}

TEST_CASE("what is no URL of Redis is refused, without the password", "[queue]") {
    const auto* const url =
        GENERATE("", "localhost", "http://h", "redis://", "redis://:6379",
                 "redis://h:", "redis://h:65536", "redis://h:x", "redis://[::1", "redis://[::1]x",
                 "redis://h/-1", "redis://h/a", "redis://secret@h", "redis://u:@h",
                 "redis://u:secret%4@h", "redis://u:secret%xy@h", "rediss://u:secret@h");
    CAPTURE(url);
    const auto address = read_redis_url(url);
    REQUIRE_FALSE(address);
    CHECK(address.reason().find("secret") == std::string::npos);
}

#endif
