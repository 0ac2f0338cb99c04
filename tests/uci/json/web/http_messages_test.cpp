#include "uci/json/web/http_messages.hpp"

#include "tests/catch.hpp"

using namespace uci::net;
using namespace uci::json::web;
namespace http = boost::beast::http;

namespace {

const std::string id = "0123456789abcdef0123456789abcdef";

HttpRequest request_with(std::string_view name, std::string_view value) {
    HttpRequest request{http::verb::post, "/message", 11};
    request.set({name.data(), name.size()}, {value.data(), value.size()});
    return request;
}

}  // namespace

TEST_CASE("the path of a request has no query", "[http_messages]") {
    CHECK(path_of(HttpRequest{http::verb::get, "/", 11}) == "/");
    CHECK(path_of(HttpRequest{http::verb::get, "/game/x?y=z", 11}) == "/game/x");
    CHECK(path_of(HttpRequest{http::verb::get, "/?#", 11}) == "/");
}

TEST_CASE("the path of a game holds its id", "[http_messages]") {
    CHECK(game_id_in_path("/game/" + id) == id);
    const std::string path = GENERATE(as<std::string>{}, "", "/", "/game/", "/game/1", "game/x",
                                      "/game/0123456789abcdef0123456789abcdef/");
    CAPTURE(path);
    CHECK(game_id_in_path(path).empty());
}

TEST_CASE("a review has a path below that of its game", "[http_messages]") {
    const auto page = review_path_of("/game/" + id + "/review");
    REQUIRE(page);
    CHECK(page->game_id == id);
    CHECK_FALSE(page->is_json);
    const auto data = review_path_of("/game/" + id + "/review.json");
    REQUIRE(data);
    CHECK(data->game_id == id);
    CHECK(data->is_json);
    const std::string path = GENERATE(as<std::string>{}, "", "/review", "/game/review",
                                      "/game//review", "/game/1/review", "/game/" + id,
                                      "/game/" + id + "/review/", "/game/" + id + "/reviews");
    CAPTURE(path);
    CHECK_FALSE(review_path_of(path));
}

TEST_CASE("a client that has a file of the page does not get it again", "[http_messages]") {
    for (const auto* path : {"/", "/page.css", "/page.js"}) {
        const auto* file = page::find(path);
        REQUIRE(file);
        const auto all = page_response(HttpRequest{http::verb::get, path, 11}, *file);
        CHECK(all.result() == http::status::ok);
        CHECK(all.body() == file->content);
        CHECK(all["Cache-Control"] == "no-cache");
        const std::string etag{all["ETag"]};
        CHECK(etag.size() == 34);
        for (const auto& [names, is_known] :
             {std::pair{etag, true}, std::pair{"W/" + etag, true},
              std::pair{std::string{"*"}, true}, std::pair{"\"a\", " + etag, true},
              std::pair{std::string{"\"a\""}, false}, std::pair{std::string{}, false}}) {
            CAPTURE(names);
            const auto again = page_response(request_with("If-None-Match", names), *file);
            CHECK((again.result() == http::status::not_modified) == is_known);
            CHECK(again.body().empty() == is_known);
            CHECK(again["ETag"] == etag);
            CHECK(again["Cache-Control"] == "no-cache");
        }
    }
    CHECK(page::find("/")->hash != page::find("/page.js")->hash);
}

TEST_CASE("the page of a game that is missing is not kept", "[http_messages]") {
    const auto response = missing_game_response(http::status::not_found, *page::find("/"));
    CHECK(response.result() == http::status::not_found);
    CHECK(response["ETag"].empty());
    CHECK(response["Cache-Control"] == "no-store");
}

TEST_CASE("a failure says why the message was not tried", "[http_messages]") {
    const auto text_of = [](http::status status) { return failure_response(status).body(); };
    CHECK(text_of(http::status::payload_too_large).find("too large") != std::string::npos);
    CHECK(text_of(http::status::too_many_requests).find("too many new games") != std::string::npos);
    CHECK(text_of(http::status::service_unavailable).find("too much to do") != std::string::npos);
    CHECK(text_of(http::status::internal_server_error).find("internal error") != std::string::npos);
    CHECK(text_of(http::status::not_found).find("illegal move, please retry") != std::string::npos);
}

TEST_CASE("the page of a review runs nothing but what it allows itself", "[http_messages]") {
    const auto response = review_page_response("<p>page");
    CHECK(response["Content-Security-Policy"] == "frame-ancestors 'none'");
    CHECK(response.body() == "<p>page");
}

TEST_CASE("a header or a cookie holds the id of a game", "[http_messages]") {
    CHECK(requested_game_id(request_with("Parley-Game", id)) == id);
    CHECK(requested_game_id(request_with("Cookie", "parley_game=" + id)) == id);
    CHECK(requested_game_id(request_with("Cookie", "a=b; parley_game=" + id + "; c")) == id);
    CHECK(requested_game_id(request_with("Cookie", "my_parley_game=" + id)).empty());
    CHECK(requested_game_id(request_with("Cookie", ";;=; ;parley_game")).empty());
    CHECK(requested_game_id(request_with("Accept", "*/*")).empty());
}

TEST_CASE("the cookie of a game is for HTTPS alone where that is used", "[http_messages]") {
    HttpResponse response{http::status::ok, 11};
    set_game_cookie(response, id, false);
    CHECK(response["Set-Cookie"]
          == "parley_game=" + id + "; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict");
    set_game_cookie(response, id, true);
    CHECK(response["Set-Cookie"]
          == "parley_game=" + id + "; Path=/; Max-Age=86400; HttpOnly; Secure; SameSite=Strict");
}

TEST_CASE("an answer has its status and its lines", "[http_messages]") {
    const auto good = answer_response({{"{}", "[]"}, uci::json::Audience::everyone});
    CHECK(good.result() == http::status::ok);
    CHECK(good.body() == "{}\n[]\n");
    CHECK(good[http::field::content_type] == "application/x-ndjson");
    CHECK(answer_response(uci::json::rejection()).result() == http::status::unprocessable_entity);
}
