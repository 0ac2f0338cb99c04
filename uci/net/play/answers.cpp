#include "uci/net/play/answers.hpp"

#include <fmt/format.h>

#include "uci/net/http.hpp"
#include "uci/net/play/game_id.hpp"
#include "uci/net/play/limits.hpp"
#include "uci/net/target.hpp"

namespace uci::net::play {

namespace {

namespace http = boost::beast::http;

constexpr std::string_view game_path = "/game/";

// The page loads nothing from anywhere else and is shown in no other page.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view value_of(const HttpRequest& request, boost::beast::string_view name) {
    const auto found = request.find(name);
    if (found == request.end())
        return {};
    return {found->value().data(), found->value().size()};
}

HttpResponse response(http::status status, std::string_view type, std::string_view body) {
    HttpResponse result{status, 11};
    result.set(http::field::content_type, {type.data(), type.size()});
    result.set("X-Content-Type-Options", "nosniff");
    // The address of a game is its key.
    result.set("Referrer-Policy", "no-referrer");
    result.set("Cross-Origin-Resource-Policy", "same-origin");
    result.set(http::field::cache_control, "no-store");
    result.body() = body;
    return result;
}

HttpResponse messages(http::status status, const std::vector<std::string>& lines) {
    std::string body;
    for (const auto& line : lines)
        body += line + '\n';
    return response(status, "application/x-ndjson", body);
}

void set_cookie(HttpResponse& response, const std::string& id, std::chrono::seconds lifetime) {
    response.set(http::field::set_cookie,
                 fmt::format("{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict", game_cookie,
                             id, lifetime.count()));
}

RequestHead head_of(const HttpRequest& request) {
    RequestHead head;
    if (request.count(http::field::host) > 0)
        head.host = value_of(request, "Host");
    if (request.count(http::field::origin) > 0)
        head.origin = value_of(request, "Origin");
    head.fetch_site = value_of(request, "Sec-Fetch-Site");
    return head;
}

}  // namespace

std::string path_of(const HttpRequest& request) {
    const std::string target{request.target()};
    return target.substr(0, target.find_first_of("?#"));
}

std::string game_in(const std::string& path) {
    if (!path.starts_with(game_path))
        return {};
    const std::string id = path.substr(game_path.size());
    return is_game_id(id) ? id : std::string{};
}

std::string game_in(const HttpRequest& request) {
    if (request.find(game_header) != request.end())
        return std::string{value_of(request, game_header)};
    return read_cookie(value_of(request, "Cookie"), game_cookie).value_or("");
}

bool is_trusted(const HttpRequest& request, bool local_only) {
    return net::is_trusted(head_of(request), local_only);
}

bool is_addressed_to_us(const HttpRequest& request, bool local_only) {
    RequestHead head;
    head.host = head_of(request).host;
    return net::is_trusted(head, local_only);
}

HttpResponse document(std::string_view type, std::string_view content) {
    auto result = response(http::status::ok, type, content);
    result.set("Content-Security-Policy", content_policy);
    result.set(http::field::cache_control, "no-cache");
    return result;
}

HttpResponse sentence(http::status status, std::string_view text) {
    auto result = response(status, "text/plain; charset=utf-8", text);
    result.body() += '\n';
    return result;
}

HttpResponse answer_to_message(const json::Answer& answer) {
    const bool refused = answer.audience == json::Audience::sender_refused;
    return messages(refused ? http::status::unprocessable_entity : http::status::ok,
                    answer.messages);
}

HttpResponse failure(http::status status) {
    return messages(status, {json::failure()});
}

void name_game(HttpResponse& response, const std::string& id) {
    response.set(game_header, id);
    set_cookie(response, id, longest_rest);
}

void forget_game(HttpResponse& response) {
    set_cookie(response, "", std::chrono::seconds{0});
}

}  // namespace uci::net::play
