#pragma once

#include <optional>
#include <string>

#include "uci/json/session.hpp"
#include "uci/json/web/page/page.hpp"
#include "uci/net/request_handler.hpp"

// HTTP requests and responses of `parley serve`.
namespace uci::json::web {

/// The header and the cookie that name a game.
inline constexpr const char* game_header = "Parley-Game";
inline constexpr const char* game_cookie = "parley_game";

/// The path of a request, without its query.
std::string path_of(const net::HttpRequest& request);
/// The game id in a path such as /game/0123...def; empty when it has none.
std::string game_id_in_path(const std::string& path);
/// The path of a review: /game/ID/review is a page, with ".json" it is data.
struct ReviewPath {
    std::string game_id;
    bool is_json = false;
};
/// Nothing when the path is another one.
std::optional<ReviewPath> review_path_of(const std::string& path);
/// The game id in the header or cookie of a request; empty when it has none.
std::string requested_game_id(const net::HttpRequest& request);

/// A file of the page, or status 304 if the request says that the client has it.
net::HttpResponse page_response(const net::HttpRequest& request, const page::File& file);
/// The page with a status that says why its game cannot be opened.
net::HttpResponse missing_game_response(boost::beast::http::status status, const page::File& file);
/// A review as a page, which has a policy of its own, and as data.
net::HttpResponse review_page_response(std::string_view page);
net::HttpResponse review_json_response(std::string_view json);
/// A line of text for a person.
net::HttpResponse text_response(boost::beast::http::status status, std::string_view text);
/// The answer to a message: 200, or 422 when the message was rejected.
net::HttpResponse answer_response(const Answer& answer);
/// A `failure` message with a status that says why the message was not even tried; its text says it
/// too, but where the game does not exist.
net::HttpResponse failure_response(boost::beast::http::status status);
/// Names the game for the client's next request, by header and cookie. The browser keeps the cookie
/// for HTTPS alone if that is how it reached the server.
void set_game_cookie(net::HttpResponse& response, const std::string& id, bool is_https);
/// Makes the client's next request start a new game.
void clear_game_cookie(net::HttpResponse& response, bool is_https);

}  // namespace uci::json::web
