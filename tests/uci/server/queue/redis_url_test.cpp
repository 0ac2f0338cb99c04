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
    CHECK_FALSE(six->tls);
}

TEST_CASE("a URL of Redis with TLS may name files", "[queue]") {
    const auto full =
        read_redis_url("rediss://:p%3F@h:7000/3?ca=/etc/a%26b.crt&cert=/c.crt&key=/k.key");
    REQUIRE(full);
    CHECK(full->host == "h");
    CHECK(full->port == 7'000);
    CHECK(full->password == "p?");
    CHECK(full->database == 3);
    REQUIRE(full->tls);
    CHECK(full->tls->ca_file == "/etc/a&b.crt");
    CHECK(full->tls->certificate_file == "/c.crt");
    CHECK(full->tls->key_file == "/k.key");
    const auto* const without = GENERATE("rediss://h", "rediss://h/?", "rediss://h?");
    const auto plain = read_redis_url(without);
    REQUIRE(plain);
    REQUIRE(plain->tls);
    CHECK(plain->host == "h");
    CHECK(plain->tls->ca_file.empty());
    CHECK(plain->tls->certificate_file.empty());
}

TEST_CASE("what is no URL of Redis is refused, without the password", "[queue]") {
    const auto* const url = GENERATE(
        "", "localhost", "http://h", "redis://", "redis://:6379", "redis://h:", "redis://h:65536",
        "redis://h:x", "redis://[::1", "redis://[::1]x", "redis://h/-1", "redis://h/a",
        "redis://secret@h", "redis://u:@h", "redis://u:secret%4@h", "redis://u:secret%xy@h",
        "rediss://", "rediss://u:secret@h?verify=no", "rediss://u:secret@h?ca",
        "rediss://u:secret@h?ca=", "rediss://u:secret@h?ca=%2");
    CAPTURE(url);
    const auto address = read_redis_url(url);
    REQUIRE_FALSE(address);
    CHECK(address.reason().find("secret") == std::string::npos);
}

#endif
