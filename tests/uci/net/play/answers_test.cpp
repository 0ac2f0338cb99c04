#include "uci/net/play/answers.hpp"

#include "tests/catch.hpp"

using namespace uci::net;
using namespace uci::net::play;
namespace http = boost::beast::http;

namespace {

const std::string id = "0123456789abcdef0123456789abcdef";

HttpRequest request_with(std::string_view name, std::string_view value) {
    HttpRequest request{http::verb::post, "/message", 11};
    request.set({name.data(), name.size()}, {value.data(), value.size()});
    return request;
}

}  // namespace

TEST_CASE("a path ends before the question mark", "[answers]") {
    CHECK(path_of(HttpRequest{http::verb::get, "/", 11}) == "/");
    CHECK(path_of(HttpRequest{http::verb::get, "/game/x?y=z", 11}) == "/game/x");
    CHECK(path_of(HttpRequest{http::verb::get, "/?#", 11}) == "/");
}

TEST_CASE("a path names a game or none", "[answers]") {
    CHECK(game_in("/game/" + id) == id);
    const std::string path = GENERATE(as<std::string>{}, "", "/", "/game/", "/game/1", "game/x",
                                      "/game/0123456789abcdef0123456789abcdef/");
    CAPTURE(path);
    CHECK(game_in(path).empty());
}

TEST_CASE("a header or a cookie names a game", "[answers]") {
    CHECK(game_in(request_with("Parley-Game", id)) == id);
    CHECK(game_in(request_with("Cookie", "parley_game=" + id)) == id);
    CHECK(game_in(request_with("Cookie", "a=b; parley_game=" + id + "; c")) == id);
    CHECK(game_in(request_with("Cookie", "my_parley_game=" + id)).empty());
    CHECK(game_in(request_with("Cookie", ";;=; ;parley_game")).empty());
    CHECK(game_in(request_with("Accept", "*/*")).empty());
}

TEST_CASE("who may ask on a server of this machine alone", "[answers]") {
    auto request = request_with("Host", "localhost:8080");
    CHECK(play::is_trusted(request, true));
    request.set(http::field::origin, "http://localhost:8080");
    CHECK(play::is_trusted(request, true));
    request.set(http::field::origin, "http://elsewhere.example");
    CHECK_FALSE(play::is_trusted(request, true));
    CHECK(is_addressed_to_us(request, true));
    request.set(http::field::host, "elsewhere.example");
    CHECK_FALSE(is_addressed_to_us(request, true));
    CHECK(play::is_trusted(request, false));
}

TEST_CASE("an answer to a message has its status and its lines", "[answers]") {
    const auto good = answer_to_message({{"{}", "[]"}, uci::json::Audience::everyone});
    CHECK(good.result() == http::status::ok);
    CHECK(good.body() == "{}\n[]\n");
    CHECK(good[http::field::content_type] == "application/x-ndjson");
    CHECK(answer_to_message(uci::json::refused()).result() == http::status::unprocessable_entity);
}
