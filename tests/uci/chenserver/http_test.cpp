#include "uci/chenserver/http.hpp"

#include "tests/catch.hpp"

using namespace uci::chenserver;
using namespace std::string_literals;

namespace {

RequestHead head_of(const std::string& text) {
    const auto head = read_head(text);
    INFO(text);
    REQUIRE(head);
    return *head;
}

}  // namespace

TEST_CASE("an HTTP request line is recognised", "[http]") {
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
    CHECK(head.source.host == "x:1");
    CHECK(head.source.origin == "null");
    CHECK(head.source.fetch_site == "cross-site");
}

TEST_CASE("the headers tell whether a browser or a proxy has sent a request", "[http]") {
    const auto browser = GENERATE("Origin: http://x"s, "Referer: http://x/"s,
                                  "Sec-Fetch-Site: none"s, "User-Agent: Mozilla/5.0 (X11)"s);
    CHECK(head_of("GET /exit HTTP/1.1\r\n" + browser + "\r\n\r\n").is_from_browser);
    const auto proxy = GENERATE("X-Forwarded-For: x"s, "Forwarded: for=x"s, "Via: 1.1 x"s);
    CHECK(head_of("GET /exit HTTP/1.1\r\n" + proxy + "\r\n\r\n").is_forwarded);
    const auto plain = head_of("GET /exit HTTP/1.1\r\nHost: x\r\nUser-Agent: curl/8\r\n\r\n");
    CHECK_FALSE(plain.is_from_browser);
    CHECK_FALSE(plain.is_forwarded);
}

TEST_CASE("a head whose receiver or end is not certain is refused", "[http]") {
    const auto headers = GENERATE("Host: x\r\nHost: x"s, "Transfer-Encoding: gzip"s,
                                  "Transfer-Encoding: chunked\r\nContent-Length: 1"s);
    CHECK_FALSE(read_head("GET /move+e4 HTTP/1.1\r\n" + headers + "\r\n\r\n"));
}

TEST_CASE("a head may have no headers", "[http]") {
    const auto head = head_of("GET / HTTP/1.1\r\n\r\n");
    CHECK(head.method == "GET");
    CHECK(head.target == "/");
    CHECK_FALSE(head.is_http_1_0);
    CHECK_FALSE(head.source.host);
    CHECK_FALSE(head.source.origin);
    CHECK(head.source.fetch_site.empty());
}

TEST_CASE("a head may be long, and say how long a body is", "[http]") {
    const auto headers =
        GENERATE("X: "s + std::string(60'000, 'x'), "Content-Length: 99999999999"s,
                 "Transfer-Encoding: chunked"s, "Expect: 100-continue"s, "Upgrade: websocket"s);
    CHECK(head_of("GET /x HTTP/1.1\r\n" + headers + "\r\nHost: y\r\n\r\n").source.host == "y");
}

TEST_CASE("a malformed head is refused", "[http]") {
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
