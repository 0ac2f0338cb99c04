#include "uci/net/same_origin.hpp"

#include <boost/beast/http/verb.hpp>
#include <utility>

#include "tests/catch.hpp"

using namespace uci::net;

namespace {

RequestOrigin with(std::optional<std::string> host,
                   std::optional<std::string> origin = std::nullopt,
                   std::string fetch_site = "",
                   std::string referer = "") {
    return {std::move(host), std::move(origin), std::move(fetch_site), std::move(referer)};
}

/// A server behind a proxy that speaks HTTPS.
SameOrigin chess_example() {
    return SameOrigin{{*read_origin("https://chess.example")}};
}

}  // namespace

TEST_CASE("requests to this machine or an address pass the same-origin check", "[net]") {
    const auto request = GENERATE(
        with(std::nullopt), with("localhost"), with("LOCALHOST:99"), with("127.0.0.1"),
        with("127.0.0.1:80"), with("127.9.9.9:80"), with("[::1]"), with("[::1]:80"),
        with("192.0.2.1:8080"), with("[2001:db8::1]:8080"), with("0.0.0.0"),
        with("localhost:1", "http://localhost:1"), with("localhost:1", "HTTP://LocalHost:1"),
        with("localhost", "http://localhost:80"), with("192.0.2.1", "https://192.0.2.1"),
        with("localhost", std::nullopt, "same-origin"), with("localhost", std::nullopt, "none"),
        with("localhost:1", std::nullopt, "", "http://localhost:1/game/x"));
    CAPTURE(request.host.value_or("(none)"));
    CHECK_FALSE(SameOrigin{}.check_host(request));
    CHECK_FALSE(SameOrigin{}.check_change(request));
    CHECK_FALSE(chess_example().check_change(request));
}

TEST_CASE("a foreign Host never passes", "[net]") {
    const std::string host =
        GENERATE("", ":80", "example.com", "example.com:80", "localhost.example.com",
                 "127.0.0.1.example.com", "xlocalhost", "[::1", "::1]", "127.1", "2130706433",
                 "0x7f.0.0.1", "localhost@example.com", "example.com:localhost", "127.0.0.1:80:80",
                 "chess.example.com", "xchess.example");
    CAPTURE(host);
    CHECK(SameOrigin{}.check_host(with(host)));
    CHECK(chess_example().check_host(with(host)));
    CHECK(chess_example().check_change(with(host, "http://" + host)));
}

TEST_CASE("the refusal of a Host or an origin names the option that allows it", "[net]") {
    const auto host = SameOrigin{}.check_host(with("chess.example:8080"));
    REQUIRE(host);
    CHECK(host->reason
          == "Host 'chess.example:8080' is not a name of this server; --origin "
             "http://chess.example:8080 allows it");
    const auto origin = SameOrigin{}.check_change(with("127.0.0.1", "https://chess.example"));
    REQUIRE(origin);
    CHECK(origin->reason
          == "Origin 'https://chess.example' is not an origin of this server; --origin "
             "https://chess.example allows it");
    const auto impossible = SameOrigin{}.check_host(with("a b<c>"));
    REQUIRE(impossible);
    CHECK(impossible->reason == "Host 'a b<c>' is not a name of this server");
}

TEST_CASE("a request of another origin never passes", "[net]") {
    const auto request = GENERATE(
        with("localhost", std::nullopt, "cross-site"), with("localhost", std::nullopt, "same-site"),
        with("localhost", std::nullopt, "anything"), with("localhost", "null"),
        with("localhost", ""), with("localhost", "http://example.com"),
        with("localhost:1", "http://localhost:2"), with("localhost:1", "ftp://localhost:1"),
        with("localhost", "http://localhost.example.com"), with(std::nullopt, "http://localhost"),
        with("localhost", "http://example.com/localhost"), with("localhost", "http://x@localhost"),
        with("localhost", "https://chess.example", "same-site"),
        with("localhost:1", std::nullopt, "", "http://localhost:3000/page"),
        with("localhost:1", std::nullopt, "", "about:blank"));
    CAPTURE(request.origin.value_or("(none)"));
    CHECK(SameOrigin{}.check_change(request));
    CHECK(chess_example().check_change(request));
}

TEST_CASE("behind a proxy its public origin passes, whatever Host the proxy sends", "[net]") {
    const auto request =
        GENERATE(with("chess.example"), with("CHESS.example:443"), with("chess.example:8443"),
                 with("chess.example", "https://chess.example", "same-origin"),
                 with("127.0.0.1:8080", "https://chess.example", "same-origin"),
                 with("chess.example", std::nullopt, "", "https://chess.example/game/x"));
    CAPTURE(*request.host);
    CHECK(SameOrigin{}.check_change(request));
    CHECK_FALSE(chess_example().check_change(request));
}

TEST_CASE("a page loaded by HTTP is not an own page of a server with HTTPS", "[net]") {
    CHECK(chess_example().check_change(with("chess.example", "http://chess.example")));
    CHECK(chess_example().is_https_host("chess.example:80"));
    CHECK_FALSE(chess_example().is_https_host("localhost"));
    const SameOrigin both{
        {*read_origin("https://chess.example"), *read_origin("http://chess.example")}};
    CHECK_FALSE(both.check_change(with("chess.example", "http://chess.example")));
    CHECK_FALSE(both.is_https_host("chess.example"));
}

TEST_CASE("the origin of a request is read from its headers", "[net]") {
    HttpRequest request{boost::beast::http::verb::get, "/", 11};
    CHECK_FALSE(request_origin(request).host);
    CHECK_FALSE(request_origin(request).origin);
    CHECK(request_origin(request).fetch_site.empty());
    request.set("Host", "localhost:1");
    request.set("Origin", "null");
    request.set("Sec-Fetch-Site", "Cross-Site");
    request.set("Referer", "http://localhost:1/x");
    CHECK(request_origin(request).host == "localhost:1");
    CHECK(request_origin(request).origin == "null");
    CHECK(request_origin(request).fetch_site == "cross-site");
    CHECK(request_origin(request).referer == "http://localhost:1/x");
}
