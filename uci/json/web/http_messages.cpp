#include "uci/json/web/http_messages.hpp"

#include <utility>

#include <fmt/format.h>

#include "uci/json/web/game_id.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/net/cookie.hpp"

namespace uci::json::web {

namespace {

namespace http = boost::beast::http;
using net::HttpRequest;
using net::HttpResponse;

constexpr std::string_view game_path = "/game/";

// The page loads nothing from other sites, and no other site may show it in a frame.
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
    // Whoever knows the address of a game can join it.
    result.set("Referrer-Policy", "no-referrer");
    result.set("Cross-Origin-Resource-Policy", "same-origin");
    result.set(http::field::cache_control, "no-store");
    result.body() = body;
    return result;
}

/// Whether If-None-Match names an entity tag. Proxies that compress make it a weak one (W/).
bool has_etag(std::string_view if_none_match, std::string_view etag) {
    return if_none_match == "*" || if_none_match.find(etag) != std::string_view::npos;
}

HttpResponse messages(http::status status, const std::vector<std::string>& lines) {
    std::string body;
    for (const auto& line : lines)
        body += line + '\n';
    return response(status, "application/x-ndjson", body);
}

/// Only what the published interface knows has its text.
std::string failure_of(http::status status) {
    switch (status) {
        case http::status::bad_request: return failure("malformed HTTP request");
        case http::status::payload_too_large: return failure("the message is too large");
        case http::status::too_many_requests:
            return failure("too many new games or connections of one client, please retry later");
        case http::status::request_header_fields_too_large:
            return failure("the headers are too large");
        case http::status::internal_server_error: return failure("internal error of the server");
        case http::status::service_unavailable:
            return failure("the server has too much to do, please retry later");
        default: return failure();
    }
}

void set_cookie(HttpResponse& response,
                const std::string& id,
                std::chrono::seconds lifetime,
                bool is_https) {
    response.set(http::field::set_cookie,
                 fmt::format("{}={}; Path=/; Max-Age={}; HttpOnly; {}SameSite=Strict", game_cookie,
                             id, lifetime.count(), is_https ? "Secure; " : ""));
}

}  // namespace

std::string path_of(const HttpRequest& request) {
    const std::string target{request.target()};
    return target.substr(0, target.find_first_of("?#"));
}

std::string game_id_in_path(const std::string& path) {
    if (!path.starts_with(game_path))
        return {};
    const std::string id = path.substr(game_path.size());
    return is_game_id(id) ? id : std::string{};
}

std::optional<ReviewPath> review_path_of(const std::string& path) {
    for (const bool is_json : {false, true}) {
        const std::string_view ending = is_json ? "/review.json" : "/review";
        if (!path.ends_with(ending))
            continue;
        auto id = game_id_in_path(path.substr(0, path.size() - ending.size()));
        if (!id.empty())
            return ReviewPath{std::move(id), is_json};
    }
    return std::nullopt;
}

std::string requested_game_id(const HttpRequest& request) {
    if (request.find(game_header) != request.end())
        return std::string{value_of(request, game_header)};
    return net::read_cookie(value_of(request, "Cookie"), game_cookie).value_or("");
}

HttpResponse page_response(const HttpRequest& request, const page::File& file) {
    const std::string etag = '"' + std::string{file.hash} + '"';
    const bool is_known = has_etag(value_of(request, "If-None-Match"), etag);
    auto result = is_known ? response(http::status::not_modified, file.type, "")
                           : response(http::status::ok, file.type, file.content);
    result.set("Content-Security-Policy", content_policy);
    // The files have the same names in the next version, so browsers ask each time whether they are
    // new.
    result.set(http::field::cache_control, "no-cache");
    result.set(http::field::etag, etag);
    return result;
}

HttpResponse missing_game_response(http::status status, const page::File& file) {
    auto result = response(status, file.type, file.content);
    result.set("Content-Security-Policy", content_policy);
    return result;
}

HttpResponse review_page_response(std::string_view page) {
    auto result = response(http::status::ok, "text/html; charset=utf-8", page);
    // What may run is said in the page itself.
    result.set("Content-Security-Policy", "frame-ancestors 'none'");
    return result;
}

HttpResponse review_json_response(std::string_view json) {
    return response(http::status::ok, "application/json", json);
}

HttpResponse text_response(http::status status, std::string_view text) {
    auto result = response(status, "text/plain; charset=utf-8", text);
    result.body() += '\n';
    return result;
}

HttpResponse answer_response(const Answer& answer) {
    const bool rejected = answer.audience == Audience::rejected_sender_only;
    if (answer.is_unavailable)
        return messages(http::status::service_unavailable, answer.messages);
    return messages(rejected ? http::status::unprocessable_entity : http::status::ok,
                    answer.messages);
}

HttpResponse failure_response(http::status status) {
    return messages(status, {failure_of(status)});
}

void set_game_cookie(HttpResponse& response, const std::string& id, bool is_https) {
    response.set(game_header, id);
    set_cookie(response, id, max_idle_time, is_https);
}

void clear_game_cookie(HttpResponse& response, bool is_https) {
    set_cookie(response, "", std::chrono::seconds{0}, is_https);
}

}  // namespace uci::json::web
