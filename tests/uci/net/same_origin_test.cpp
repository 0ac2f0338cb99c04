#include "uci/net/same_origin.hpp"

#include <boost/beast/http/verb.hpp>
#include <utility>

#include "tests/catch.hpp"

using namespace uci::net;

namespace {

RequestOrigin with(std::optional<std::string> host,
                   std::optional<std::string> origin = std::nullopt,
                   std::string fetch_site = "") {
    return {std::move(host), std::move(origin), std::move(fetch_site)};
}

}  // namespace

TEST_CASE("requests of this machine pass the same-origin check", "[net]") {
    const auto request = GENERATE(
        with(std::nullopt), with("localhost"), with("LOCALHOST:99"), with("127.0.0.1"),
        with("127.0.0.1:80"), with("127.9.9.9:80"), with("[::1]"), with("[::1]:80"),
        with("localhost:1", "http://localhost:1"), with("localhost:1", "HTTP://LocalHost:1"),
        with("localhost", std::nullopt, "same-origin"), with("localhost", std::nullopt, "none"));
    CAPTURE(request.host.value_or("(none)"));
    CHECK(passes_same_origin_check(request, true));
    CHECK(passes_same_origin_check(request, false));
}

TEST_CASE("a foreign Host passes only on a public server", "[net]") {
    const std::string host =
        GENERATE("", ":80", "example.com", "example.com:80", "localhost.example.com",
                 "127.0.0.1.example.com", "xlocalhost", "192.0.2.1", "0.0.0.0", "[::2]", "[::]",
                 "[::1", "::1]", "127.1", "2130706433", "0x7f.0.0.1", "localhost@example.com",
                 "example.com:localhost", "[::ffff:192.0.2.1]", "127.0.0.1:80:80");
    CAPTURE(host);
    CHECK_FALSE(passes_same_origin_check(with(host), true));
    CHECK(passes_same_origin_check(with(host), false));
}

TEST_CASE("a request of another origin never passes", "[net]") {
    const auto request = GENERATE(
        with("localhost", std::nullopt, "cross-site"), with("localhost", "null"),
        with("localhost", ""), with("localhost", "http://example.com"),
        with("localhost:1", "http://localhost:2"),
        with("localhost", "http://localhost.example.com"), with(std::nullopt, "http://localhost"),
        with("localhost", "http://example.com/localhost"), with("localhost", "http://localhost:80"),
        with("localhost", "http://x@localhost"));
    CAPTURE(request.origin.value_or("(none)"));
    CHECK_FALSE(passes_same_origin_check(request, true));
    CHECK_FALSE(passes_same_origin_check(request, false));
}

TEST_CASE("the origin of a request is read from its headers", "[net]") {
    HttpRequest request{boost::beast::http::verb::get, "/", 11};
    CHECK_FALSE(request_origin(request).host);
    CHECK_FALSE(request_origin(request).origin);
    CHECK(request_origin(request).fetch_site.empty());
    request.set("Host", "localhost:1");
    request.set("Origin", "null");
    request.set("Sec-Fetch-Site", "Cross-Site");
    CHECK(request_origin(request).host == "localhost:1");
    CHECK(request_origin(request).origin == "null");
    CHECK(request_origin(request).fetch_site == "cross-site");
}
