#include "uci/server/admin_api.hpp"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/text.hpp"

#include "engine/build_info.hpp"

#include "uci/net/same_origin.hpp"
#include "uci/net/url.hpp"
#include "uci/util/log.hpp"

namespace uci::server {

namespace {

using boost::beast::http::field;
using boost::beast::http::status;
using boost::beast::http::verb;
using net::HttpResponse;

constexpr const char* text_type = "text/plain; charset=utf-8";
constexpr const char* json_type = "application/json";
/// What a Prometheus server expects of its text format.
constexpr const char* metrics_type = "text/plain; version=0.0.4; charset=utf-8";

constexpr std::size_t default_games = 1'000;
constexpr std::size_t max_games = 100'000;
constexpr int max_waiting = 8;
constexpr const char* too_many_wait = "too many requests wait for the store";

constexpr std::string_view games_path{"/games"};
constexpr std::string_view drain_path{"/drain"};

HttpResponse response_of(status code, const char* type, std::string body) {
    HttpResponse response{code, 11};
    response.set(field::content_type, type);
    response.set(field::cache_control, "no-store");
    response.body() = std::move(body);
    return response;
}

HttpResponse text_response(status code, const std::string& line) {
    return response_of(code, text_type, line + '\n');
}

HttpResponse json_response(const nlohmann::ordered_json& json) {
    using Handler = nlohmann::ordered_json::error_handler_t;
    return response_of(status::ok, json_type, json.dump(-1, ' ', false, Handler::replace) + '\n');
}

HttpResponse method_not_allowed(const char* allowed) {
    auto response = text_response(status::method_not_allowed, "method not allowed");
    response.set(field::allow, allowed);
    return response;
}

bool is_read_only(const net::HttpRequest& request) {
    return request.method() == verb::get || request.method() == verb::head;
}

/// The id in /games/ID/end.
std::optional<std::string> game_to_end(const std::string& path) {
    constexpr std::string_view prefix{"/games/"};
    constexpr std::string_view suffix{"/end"};
    if (!path.starts_with(prefix) || !path.ends_with(suffix)
        || path.size() <= prefix.size() + suffix.size())
        return std::nullopt;
    return path.substr(prefix.size(), path.size() - prefix.size() - suffix.size());
}

bool takes_post(const std::string& path) {
    return path == drain_path || game_to_end(path);
}

nlohmann::ordered_json as_json(const GameList& list) {
    auto games = nlohmann::ordered_json::array();
    for (const auto& game : list.games) {
        games.push_back({{"id", game.id}, {"plies", game.plies}, {"clients", game.clients}});
        if (game.idle)
            games.back()["idle_seconds"] = game.idle->count();
    }
    return {{"total", list.total}, {"games", games}};
}

}  // namespace

void AdminApi::handle(const net::HttpRequest& request, const Respond& respond) {
    // A page in the browser of the person who runs the server must not reach it.
    const net::SameOrigin same_origin;
    const auto source = net::request_origin(request);
    const bool reads = is_read_only(request);
    if (const auto error =
            reads ? same_origin.check_host(source) : same_origin.check_change(source))
        return respond(text_response(status::forbidden, "forbidden: " + error->reason), nullptr);
    const auto target = request.target();
    const auto path = net::parse_url({target.data(), target.size()}).path;
    if (takes_post(path)) {
        if (request.method() != verb::post)
            return respond(method_not_allowed("POST"), nullptr);
        return handle_post(path, respond);
    }
    if (!reads)
        return respond(method_not_allowed("GET, HEAD"), nullptr);
    handle_get(request, respond);
}

void AdminApi::handle_get(const net::HttpRequest& request, const Respond& respond) {
    const auto target = request.target();
    const auto url = net::parse_url({target.data(), target.size()});
    if (url.path == "/healthz")
        return respond(text_response(status::ok, "ok"), nullptr);
    if (url.path == "/readyz")
        return check_ready(respond);
    if (url.path == "/metrics")
        return respond(metrics(), nullptr);
    if (url.path != games_path)
        return respond(text_response(status::not_found, "not found"), nullptr);
    const auto text = url.value("limit");
    const auto limit = core::read_integer(text.value_or(std::to_string(default_games)));
    if (!limit || *limit < 0)
        return respond(text_response(status::bad_request, "limit is not a number"), nullptr);
    const auto most = std::min(static_cast<std::uint64_t>(*limit), std::uint64_t{max_games});
    respond(json_response(as_json(target_.games(static_cast<std::size_t>(most)))), nullptr);
}

void AdminApi::check_ready(const Respond& respond) {
    const auto respond_later = begin_wait(respond);
    if (!respond_later)
        return respond(text_response(status::service_unavailable, too_many_wait), nullptr);
    target_.check_ready([respond = *respond_later](const std::optional<core::Error>& error) {
        respond(error ? text_response(status::service_unavailable, error->reason)
                      : text_response(status::ok, "ready"),
                nullptr);
    });
}

/// Nothing if too many requests wait: they would take all connections while a store hangs, those of
/// /healthz too.
std::optional<AdminApi::Respond> AdminApi::begin_wait(const Respond& respond) {
    if (*waiting_ >= max_waiting)
        return std::nullopt;
    ++*waiting_;
    return [waiting = waiting_, respond](HttpResponse response, std::function<void()> then) {
        --*waiting;
        respond(std::move(response), std::move(then));
    };
}

void AdminApi::handle_post(const std::string& path, const Respond& respond) {
    if (path == drain_path) {
        util::log_info("drain requested by admin");
        return respond(text_response(status::accepted, "draining"), [this] { target_.drain(); });
    }
    const auto respond_later = begin_wait(respond);
    if (!respond_later)
        return respond(text_response(status::service_unavailable, too_many_wait), nullptr);
    const auto id = game_to_end(path).value_or("");
    target_.end_game(id, [respond = *respond_later, id](const core::Result<bool>& ended) {
        if (!ended)
            return respond(text_response(status::service_unavailable, ended.reason()), nullptr);
        if (!*ended)
            return respond(text_response(status::not_found, "there is no such game"), nullptr);
        util::log_info("game ended by admin", {{"game", id}});
        respond(json_response({{"ended", id}}), nullptr);
    });
}

HttpResponse AdminApi::metrics() const {
    MetricsWriter writer;
    writer.begin("parley_build_info", "gauge", "The version of the program.");
    writer.sample(1, {{"version", engine::version()}, {"commit", engine::commit()}});
    target_.write_metrics(writer);
    return response_of(status::ok, metrics_type, writer.text());
}

}  // namespace uci::server
