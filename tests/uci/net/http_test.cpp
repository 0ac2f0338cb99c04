#include "uci/net/http.hpp"

#include "tests/catch.hpp"

using namespace uci::net;
using namespace std::string_literals;

namespace {

RequestHead head_of(const std::string& text) {
    const auto head = read_head(text);
    INFO(text);
    REQUIRE(head);
    return *head;
}

RequestHead with(std::optional<std::string> host,
                 std::optional<std::string> origin = std::nullopt,
                 std::string site = "") {
    RequestHead head;
    head.host = std::move(host);
    head.origin = std::move(origin);
    head.fetch_site = std::move(site);
    return head;
}

}  // namespace

TEST_CASE("the first line of a request is known", "[http]") {
    const std::string line =
        GENERATE("GET / HTTP/1.1\r", "GET /status HTTP/1.0\r", "GET /move e4 HTTP/1.1\r",
                 "HEAD / HTTP/1.1\r", "POST / HTTP/1.1\r", "PUT x HTTP/1.0\r",
                 "OPTIONS * HTTP/1.1\r", "CONNECT x:1 HTTP/1.1\r", "DELETE /a HTTP/1.1\r",
                 "PATCH /a HTTP/1.1\r", "TRACE /a HTTP/1.1\r", "GET /\xff HTTP/1.1\r");
    CAPTURE(line);
    CHECK(is_request_line(line));
}

TEST_CASE("other lines are no requests", "[http]") {
    const std::string line = GENERATE(
        "", "\r", "GET", "GET ", "GET /\r", "GET / HTTP/1.1", "GET / HTTP/1.2\r",
        "GET / HTTP/2.0\r", "GET / http/1.1\r", "get / HTTP/1.1\r", "GET * HTTP/1.1\r",
        "GET http://x/ HTTP/1.1\r", "HEAD * HTTP/1.1\r", " GET / HTTP/1.1\r", "GET  / HTTP/1.1\r",
        "GET / HTTP/1.1\r\r", "GET /HTTP/1.1\r", "GET HTTP/1.1\r", "POST HTTP/1.1\r",
        "BREW / HTTP/1.1\r", "status", "move GET / HTTP/1.1\r", "\x16\x03\x01");
    CAPTURE(line);
    CHECK_FALSE(is_request_line(line));
    CHECK_FALSE(read_head(line + "\nHost: x\r\n\r\n"));
}

TEST_CASE("a head is read", "[http]") {
    const auto head = head_of(
        "HEAD /a b HTTP/1.0\r\nhOsT:  x:1 \r\nOrigin: null\r\n"
        "Sec-Fetch-Site: Cross-SITE\r\nX: y\r\n\r\n");
    CHECK(head.method == "HEAD");
    CHECK(head.target == "/a b");
    CHECK(head.is_http_1_0);
    CHECK(head.host == "x:1");
    CHECK(head.origin == "null");
    CHECK(head.fetch_site == "cross-site");
}

TEST_CASE("a head may have no headers", "[http]") {
    const auto head = head_of("GET / HTTP/1.1\r\n\r\n");
    CHECK(head.method == "GET");
    CHECK(head.target == "/");
    CHECK_FALSE(head.is_http_1_0);
    CHECK_FALSE(head.host);
    CHECK_FALSE(head.origin);
    CHECK(head.fetch_site.empty());
}

TEST_CASE("a head may be long, and say how long a body is", "[http]") {
    const auto headers =
        GENERATE("X: "s + std::string(60'000, 'x'), "Content-Length: 99999999999"s,
                 "Transfer-Encoding: chunked"s, "Expect: 100-continue"s, "Upgrade: websocket"s);
    CHECK(head_of("GET /x HTTP/1.1\r\n" + headers + "\r\nHost: y\r\n\r\n").host == "y");
}

TEST_CASE("what is no head is refused", "[http]") {
    const auto headers = GENERATE("Host"s, ": x"s, "Host : x"s, "Ho st: x"s, "Ho\0st: x"s,
                                  "X: a\0b"s, "\x80: x"s, "X: a\rb"s);
    CAPTURE(headers);
    const auto head = read_head("GET /new HTTP/1.1\r\n" + headers + "\r\n\r\n");
    REQUIRE_FALSE(head);
    CHECK_FALSE(head.reason().empty());
}

TEST_CASE("a head without its end is refused", "[http]") {
    CHECK_FALSE(read_head(""));
    CHECK_FALSE(read_head("GET / HTTP/1.1\r\n"));
    CHECK_FALSE(read_head("GET / HTTP/1.1\r\nHost: x\r\n"));
}

TEST_CASE("a path is decoded once", "[http]") {
    const auto [path, command] =
        GENERATE(table<std::string, std::string>({{"/", ""},
                                                  {"", ""},
                                                  {"/status", "status"},
                                                  {"status", "status"},
                                                  {"//status", "/status"},
                                                  {"/move+e4%20e5", "move e4 e5"},
                                                  {"/%2B%2b+", "++ "},
                                                  {"/%2520", "%20"},
                                                  {"/%00%0a%FF", "\0\n\xff"s},
                                                  {"/a?b=c#d&e", "a?b=c#d&e"},
                                                  {"/\x7f", "\x7f"},
                                                  {"/%41", "A"}}));
    CAPTURE(path);
    CHECK(command_of(path) == command);
}

TEST_CASE("a path with a bad escape or letter is none", "[http]") {
    const std::string path = GENERATE("/%", "/%4", "/a%", "/a%a", "/%zz", "/%4g", "/%g4", "/%%41",
                                      "/%+1", "/a b", "/a\tb", "/\x80", "/a\x1f", "/%4\xff");
    CAPTURE(path);
    CHECK_FALSE(command_of(path));
    CHECK_FALSE(command_of("/a\0b"s));
}

TEST_CASE("all bytes come through a path", "[http]") {
    std::string wanted;
    std::string path = "/";
    for (int byte = 0; byte < 256; ++byte) {
        const auto* digits = "0123456789abcdef";
        wanted += static_cast<char>(byte);
        path += {'%', digits[byte / 16], digits[byte % 16]};
    }
    CHECK(command_of(path) == wanted);
}

TEST_CASE("a request from this machine is trusted", "[http]") {
    const auto head = GENERATE(
        with(std::nullopt), with("localhost"), with("LOCALHOST:99"), with("127.0.0.1"),
        with("127.0.0.1:80"), with("127.9.9.9:80"), with("[::1]"), with("[::1]:80"),
        with("localhost:1", "http://localhost:1"), with("localhost:1", "HTTP://LocalHost:1"),
        with("localhost", std::nullopt, "same-origin"), with("localhost", std::nullopt, "none"));
    CAPTURE(head.host.value_or("(none)"));
    CHECK(is_trusted(head, true));
    CHECK(is_trusted(head, false));
}

TEST_CASE("a request under a foreign name is trusted only where others may come", "[http]") {
    const std::string host =
        GENERATE("", ":80", "example.com", "example.com:80", "localhost.example.com",
                 "127.0.0.1.example.com", "xlocalhost", "192.0.2.1", "0.0.0.0", "[::2]", "[::]",
                 "[::1", "::1]", "127.1", "2130706433", "0x7f.0.0.1", "localhost@example.com",
                 "example.com:localhost", "[::ffff:192.0.2.1]", "127.0.0.1:80:80");
    CAPTURE(host);
    CHECK_FALSE(is_trusted(with(host), true));
    CHECK(is_trusted(with(host), false));
}

TEST_CASE("a request of another site is never trusted", "[http]") {
    const auto head = GENERATE(
        with("localhost", std::nullopt, "cross-site"), with("localhost", "null"),
        with("localhost", ""), with("localhost", "http://example.com"),
        with("localhost:1", "http://localhost:2"),
        with("localhost", "http://localhost.example.com"), with(std::nullopt, "http://localhost"),
        with("localhost", "http://example.com/localhost"), with("localhost", "http://localhost:80"),
        with("localhost", "http://x@localhost"));
    CAPTURE(head.origin.value_or("(none)"));
    CHECK_FALSE(is_trusted(head, true));
    CHECK_FALSE(is_trusted(head, false));
}

TEST_CASE("a response is written", "[http]") {
    const auto text = write_response({200, "OK 1"});
    CHECK(text.substr(0, 23) == "HTTP/1.1 200 OK\r\nDate: ");
    CHECK(text.find("\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n") != std::string::npos);
    CHECK(text.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK(text.find("\r\nCache-Control: no-store\r\n") != std::string::npos);
    CHECK(text.find("Allow") == std::string::npos);
    CHECK(text.substr(text.find("\r\n\r\n")) == "\r\n\r\nOK 1\r\n");
}

TEST_CASE("a response may have no body, and tells its length all the same", "[http]") {
    const auto text = write_response({200, "OK 1", true, true});
    CHECK(text.substr(0, 17) == "HTTP/1.0 200 OK\r\n");
    CHECK(text.find("\r\nContent-Length: 6\r\n") != std::string::npos);
    CHECK(text.find("\r\n\r\n") == text.size() - 4);
}

TEST_CASE("a response says which methods there are", "[http]") {
    const auto text = write_response({405, "no"});
    CHECK(text.substr(0, 12) == "HTTP/1.1 405");
    CHECK(text.find("\r\nAllow: GET, HEAD\r\n") != std::string::npos);
}
