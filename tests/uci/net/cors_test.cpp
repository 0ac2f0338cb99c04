#include "uci/net/cors.hpp"

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>

#include "tests/catch.hpp"

using namespace uci::net;
namespace http = boost::beast::http;

namespace {

const std::string front_end{"http://localhost:5173"};

Cors cors_of(const std::string& allowed = front_end) {
    return Cors{{*read_origin(allowed)}};
}

/// What a request may do.
CorsResult result_of(const HttpRequest& request, const Cors& cors = cors_of()) {
    const auto result = cors.check(request);
    REQUIRE(result);
    return *result;
}

HttpRequest request_from(const std::string& origin, http::verb method = http::verb::get) {
    HttpRequest request{method, "/game", 11};
    request.set(http::field::host, "127.0.0.1:8888");
    if (!origin.empty())
        request.set(http::field::origin, origin);
    return request;
}

}  // namespace

TEST_CASE("only pages of the allowed origin and of this server may send requests", "[net]") {
    const auto [origin, result] = GENERATE(table<std::string, CorsResult>({
        {"", CorsResult::same_origin},
        {"http://127.0.0.1:8888", CorsResult::same_origin},
        {"https://127.0.0.1:8888", CorsResult::same_origin},
        {"http://localhost:5173", CorsResult::allowed},
        {"http://localhost:5174", CorsResult::forbidden_origin},
        {"http://localhost:51730", CorsResult::forbidden_origin},
        {"https://localhost:5173", CorsResult::forbidden_origin},
        {"http://127.0.0.1", CorsResult::forbidden_origin},
        {"null", CorsResult::forbidden_origin},
    }));
    CAPTURE(origin);
    CHECK(result_of(request_from(origin)) == result);
}

TEST_CASE("a page of a foreign host name is refused even to its own Host", "[net]") {
    auto request = request_from("http://evil.example:8888");
    request.set(http::field::host, "evil.example:8888");
    const auto result = cors_of().check(request);
    REQUIRE_FALSE(result);
    CHECK(result.reason().find("--origin http://evil.example:8888") != std::string::npos);
}

TEST_CASE("a request without Origin passes only to a Host of this server", "[net]") {
    const auto [host, passes] = GENERATE(table<std::string, bool>({
        {"127.0.0.1:8888", true},
        {"localhost:8888", true},
        {"[::1]:8888", true},
        {"localhost:5173", true},
        {"192.0.2.1:8888", true},
        {"evil.example:8888", false},
        {"", false},
    }));
    CAPTURE(host);
    auto request = request_from("");
    request.set(http::field::host, host);
    CHECK(static_cast<bool>(cors_of().check(request)) == passes);
}

TEST_CASE("a change that another site asks for without its Origin is refused", "[net]") {
    auto request = request_from("", http::verb::post);
    for (const char* site : {"cross-site", "same-site"}) {
        request.set("Sec-Fetch-Site", site);
        CHECK_FALSE(cors_of().check(request));
    }
    request.set("Sec-Fetch-Site", "same-origin");
    CHECK(result_of(request) == CorsResult::same_origin);
    auto reading = request_from("");
    reading.set("Sec-Fetch-Site", "cross-site");
    CHECK(result_of(reading) == CorsResult::same_origin);
}

TEST_CASE("pages of every allowed origin may use the server", "[net]") {
    const Cors cors{{*read_origin(front_end), *read_origin("https://chess.example")}};
    auto request = request_from("https://chess.example");
    request.set("Sec-Fetch-Site", "cross-site");
    CHECK(result_of(request, cors) == CorsResult::allowed);
    HttpResponse response{http::status::ok, 11};
    add_cors_headers(response, CorsResult::allowed, request);
    CHECK(response[http::field::access_control_allow_origin] == "https://chess.example");
}

TEST_CASE("a request of HTTP/1.0 needs no Host", "[net]") {
    auto request = request_from("");
    request.erase(http::field::host);
    request.version(10);
    CHECK(result_of(request) == CorsResult::same_origin);
}

TEST_CASE("the Host of the allowed origin passes where a web server passes it on", "[net]") {
    const auto cors = cors_of("https://chess.example");
    auto request = request_from("");
    request.set(http::field::host, "chess.example");
    CHECK(result_of(request, cors) == CorsResult::same_origin);
    request.set(http::field::host, "chess.example.evil.example");
    CHECK_FALSE(cors.check(request));
}

TEST_CASE("an http page is not the server's own where only https reaches the server", "[net]") {
    const auto [allowed, origin, result] = GENERATE(table<std::string, std::string, CorsResult>({
        {"https://chess.example", "https://chess.example", CorsResult::same_origin},
        {"https://chess.example", "http://chess.example", CorsResult::forbidden_origin},
        {"http://chess.example", "http://chess.example", CorsResult::same_origin},
    }));
    CAPTURE(allowed, origin);
    auto request = request_from(origin, http::verb::post);
    request.set(http::field::host, "chess.example");
    request.set("Sec-Fetch-Site", "cross-site");
    CHECK(result_of(request, cors_of(allowed)) == result);
}

TEST_CASE("a preflight is answered with the allowed methods and headers", "[net]") {
    const auto request = request_from(front_end, http::verb::options);
    REQUIRE(result_of(request) == CorsResult::preflight);
    const auto response = cors_response(CorsResult::preflight, request);
    CHECK(response.result_int() == 204);
    CHECK(response[http::field::access_control_allow_origin] == front_end);
    CHECK(response[http::field::access_control_allow_credentials] == "true");
    CHECK(response[http::field::access_control_allow_methods]
          == "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS");
    CHECK(response[http::field::access_control_allow_headers]
          == "Origin,Content-Length,Content-Type");
    CHECK(response[http::field::access_control_max_age] == "43200");
    CHECK(response.count(http::field::vary) == 3);
}

TEST_CASE("a request of a forbidden origin is answered with 403 and no CORS header", "[net]") {
    const auto response = cors_response(CorsResult::forbidden_origin, request_from("null"));
    CHECK(response.result_int() == 403);
    CHECK(response.body().empty());
    CHECK(response.count(http::field::access_control_allow_origin) == 0);
}
