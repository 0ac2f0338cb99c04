#include "uci/net/origin.hpp"

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

TEST_CASE("pages of one origin and of this server are let in", "[net]") {
    const auto [origin, verdict] = GENERATE(table<std::string, OriginVerdict>({
        {"", OriginVerdict::own},
        {"http://127.0.0.1:8888", OriginVerdict::own},
        {"https://127.0.0.1:8888", OriginVerdict::own},
        {"http://localhost:5173", OriginVerdict::allowed},
        {"http://localhost:5174", OriginVerdict::forbidden},
        {"http://localhost:51730", OriginVerdict::forbidden},
        {"https://localhost:5173", OriginVerdict::forbidden},
        {"http://127.0.0.1", OriginVerdict::forbidden},
        {"null", OriginVerdict::forbidden},
    }));
    CAPTURE(origin);
    CHECK(judge_origin(request_from(origin), allowed, true) == verdict);
}

TEST_CASE("a page under a foreign name is this server's own only on an open server", "[net]") {
    auto request = request_from("http://evil.example:8888");
    request.set(http::field::host, "evil.example:8888");
    CHECK(judge_origin(request, allowed, true) == OriginVerdict::forbidden);
    CHECK(judge_origin(request, allowed, false) == OriginVerdict::own);
}

TEST_CASE("a preflight is answered with what is allowed", "[net]") {
    const auto verdict = judge_origin(request_from(allowed, http::verb::options), allowed, true);
    REQUIRE(verdict == OriginVerdict::preflight);
    const auto response = answer_to_origin(verdict, allowed);
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

TEST_CASE("a foreign page is answered with nothing", "[net]") {
    const auto response = answer_to_origin(OriginVerdict::forbidden, allowed);
    CHECK(response.result_int() == 403);
    CHECK(response.body().empty());
    CHECK(response.count(http::field::access_control_allow_origin) == 0);
}
