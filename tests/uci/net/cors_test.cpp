#include "uci/net/cors.hpp"

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>

#include "tests/catch.hpp"

using namespace uci::net;
namespace http = boost::beast::http;

namespace {

const std::string allowed{"http://localhost:5173"};

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
        {"http://localhost:5174", CorsResult::forbidden},
        {"http://localhost:51730", CorsResult::forbidden},
        {"https://localhost:5173", CorsResult::forbidden},
        {"http://127.0.0.1", CorsResult::forbidden},
        {"null", CorsResult::forbidden},
    }));
    CAPTURE(origin);
    CHECK(check_cors(request_from(origin), allowed, true) == result);
}

TEST_CASE("behind a foreign host name a page is same-origin only on a public server", "[net]") {
    auto request = request_from("http://evil.example:8888");
    request.set(http::field::host, "evil.example:8888");
    CHECK(check_cors(request, allowed, true) == CorsResult::forbidden);
    CHECK(check_cors(request, allowed, false) == CorsResult::same_origin);
}

TEST_CASE("a request without Origin passes only to a Host of this server", "[net]") {
    const auto [host, local, everywhere] = GENERATE(table<std::string, CorsResult, CorsResult>({
        {"127.0.0.1:8888", CorsResult::same_origin, CorsResult::same_origin},
        {"localhost:8888", CorsResult::same_origin, CorsResult::same_origin},
        {"[::1]:8888", CorsResult::same_origin, CorsResult::same_origin},
        {"localhost:5173", CorsResult::same_origin, CorsResult::same_origin},
        {"evil.example:8888", CorsResult::forbidden, CorsResult::same_origin},
        {"192.0.2.1:8888", CorsResult::forbidden, CorsResult::same_origin},
        {"", CorsResult::forbidden, CorsResult::same_origin},
    }));
    CAPTURE(host);
    auto request = request_from("");
    request.set(http::field::host, host);
    CHECK(check_cors(request, allowed, true) == local);
    CHECK(check_cors(request, allowed, false) == everywhere);
}

TEST_CASE("a request of HTTP/1.0 needs no Host", "[net]") {
    auto request = request_from("");
    request.erase(http::field::host);
    request.version(10);
    CHECK(check_cors(request, allowed, true) == CorsResult::same_origin);
}

TEST_CASE("the Host of the allowed origin passes where a web server passes it on", "[net]") {
    const std::string chess{"https://chess.example"};
    auto request = request_from("");
    request.set(http::field::host, "chess.example");
    CHECK(check_cors(request, chess, true) == CorsResult::same_origin);
    request.set(http::field::host, "chess.example.evil.example");
    CHECK(check_cors(request, chess, true) == CorsResult::forbidden);
}

TEST_CASE("a preflight is answered with the allowed methods and headers", "[net]") {
    const auto result = check_cors(request_from(allowed, http::verb::options), allowed, true);
    REQUIRE(result == CorsResult::preflight);
    const auto response = cors_response(result, allowed);
    CHECK(response.result_int() == 204);
    CHECK(response[http::field::access_control_allow_origin] == allowed);
    CHECK(response[http::field::access_control_allow_credentials] == "true");
    CHECK(response[http::field::access_control_allow_methods]
          == "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS");
    CHECK(response[http::field::access_control_allow_headers]
          == "Origin,Content-Length,Content-Type");
    CHECK(response[http::field::access_control_max_age] == "43200");
    CHECK(response.count(http::field::vary) == 3);
}

TEST_CASE("a request of a forbidden origin is answered with 403 and no CORS header", "[net]") {
    const auto response = cors_response(CorsResult::forbidden, allowed);
    CHECK(response.result_int() == 403);
    CHECK(response.body().empty());
    CHECK(response.count(http::field::access_control_allow_origin) == 0);
}
