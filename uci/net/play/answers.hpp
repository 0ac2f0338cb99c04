#pragma once

#include <string>

#include "uci/json/session.hpp"
#include "uci/net/web.hpp"

// Requests and responses of HTTP as `parley serve` uses them.
namespace uci::net::play {

/// The header, and the cookie, that name a game.
inline constexpr const char* game_header = "Parley-Game";
inline constexpr const char* game_cookie = "parley_game";

/// The path of a request, without what follows a question mark.
std::string path_of(const HttpRequest& request);
/// The game that a path such as /game/0123...def names; empty when it names none.
std::string game_in(const std::string& path);
/// The game that a request to no path of a game names, by header or cookie; empty for a new one.
std::string game_in(const HttpRequest& request);

/// Whether another page may not be behind a request, and its Host is ours.
bool is_trusted(const HttpRequest& request, bool local_only);
/// Whether its Host is ours: enough for what anybody may see.
bool is_addressed_to_us(const HttpRequest& request, bool local_only);

/// A part of the page.
HttpResponse document(std::string_view type, std::string_view content);
/// A sentence for a person.
HttpResponse sentence(boost::beast::http::status status, std::string_view text);
/// The answer to a message: 200, or 422 when it was refused.
HttpResponse answer_to_message(const json::Answer& answer);
/// A failure that has not to do with the message itself.
HttpResponse failure(boost::beast::http::status status);
/// Lets the client find its game again.
void name_game(HttpResponse& response, const std::string& id);
/// Lets the client begin a new game: the one that its cookie names is gone.
void forget_game(HttpResponse& response);

}  // namespace uci::net::play
