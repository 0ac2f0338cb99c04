#include "uci/chezz/http/server.hpp"

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include <fmt/format.h>

#include "core/text.hpp"

#include "uci/chezz/config.hpp"
#include "uci/chezz/http/api.hpp"
#include "uci/chezz/limits.hpp"
#include "uci/command_line.hpp"
#include "uci/net/http_server.hpp"
#include "uci/net/listener.hpp"
#include "uci/net/origin.hpp"
#include "uci/net/proxies.hpp"
#include "uci/server/admin_server.hpp"
#include "uci/server/server_log.hpp"
#include "uci/server/server_metrics.hpp"
#include "uci/server/server_runtime.hpp"
#include "uci/server/server_searches.hpp"
#include "uci/store/store_factory.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

#if defined(PARLEY_REDIS)
#include "uci/store/redis_subscriber.hpp"
#endif

namespace uci::chezz::http {

namespace {

using boost::system::error_code;

struct Options {
    ServerSettings server;
    std::string store;
    Rules rules;
};

constexpr net::HttpLimits limits{.connections = Limits::max_connections,
                                 .connections_per_client = Limits::max_connections_per_client,
                                 .header = Limits::max_header_bytes,
                                 .body = Limits::max_body_bytes,
                                 .message = Limits::max_message_bytes,
                                 .unsent = Limits::max_unsent_bytes,
                                 .unsent_total = Limits::max_total_unsent_bytes};
constexpr std::chrono::seconds cleanup_interval{1};

/// How chezz's games share the engine.
server::SearchQueuePolicy search_policy() {
    server::SearchQueuePolicy policy;
    policy.max_waiting_players = Limits::max_waiting_for_engine;
    policy.max_jobs_per_client = Limits::max_searches_per_client;
    policy.player_round = Limits::engine_round;
    policy.min_player_slice = Limits::min_engine_time;
    return policy;
}

server::SearchSettings search_settings(const ServerSettings& settings) {
    return {settings.queue, static_cast<std::size_t>(settings.engine.hash),
            !settings.engine.syzygy_path.empty()};
}

/// The server: sockets and games in the I/O thread, the store and the engine in one of their own.
class Server : public server::AdminTarget {
public:
    Server(engine::GeneralInterface& engine,
           std::unique_ptr<store::Store> store,
           const Options& options,
           net::Cors cors)
        : runtime_{engine},
          store_{runtime_.io(),
                 std::move(store),
                 {Limits::max_pending_store_jobs, Limits::max_store_wait}},
          searches_{engine, runtime_.io(), search_policy(), search_settings(options.server)},
          api_{runtime_.io().get_executor(), store_, searches_.queue(), options.rules,
               std::move(cors)},
          web_{runtime_.io(), api_, limits, net::TrustedProxies{options.server.proxies}},
          admin_{runtime_.io(), *this},
          timer_{runtime_.io()},
          drain_time_{options.server.drain_seconds} {}

    std::optional<core::Error> listen(const ServerSettings& settings);
    /// Subscribes to the changes that other processes make in the same Redis.
    void subscribe(const store::RedisConfig& config);
    std::string endpoints() const { return web_.endpoints(); }
    void run();

    void check_ready(OnReadiness callback) override;
    void write_metrics(server::MetricsWriter& metrics) const override;
    server::GameList games(std::size_t limit) const override { return api_.games(limit); }
    void end_game(const std::string& id, OnEnded callback) override {
        api_.end_game(id, std::move(callback));
    }
    void drain() override { runtime_.drain(); }

private:
    void schedule_cleanup();
    void end();

    server::ServerRuntime runtime_;
    store::AsyncStore store_;
    server::ServerSearches searches_;
    Api api_;
    net::HttpServer web_;
#if defined(PARLEY_REDIS)
    std::unique_ptr<store::RedisSubscriber> subscriber_;
#endif
    server::AdminServer admin_;
    boost::asio::steady_timer timer_;
    std::chrono::seconds drain_time_;
};

std::optional<core::Error> Server::listen(const ServerSettings& settings) {
    if (auto error = admin_.listen(settings.admin))
        return error;
    return web_.listen(settings.addresses, static_cast<unsigned short>(settings.port));
}

void Server::check_ready(OnReadiness callback) {
    if (runtime_.is_draining())
        callback(core::Error{"draining"});
    else
        api_.check_store(std::move(callback));
}

void Server::write_metrics(server::MetricsWriter& metrics) const {
    server::write_http_metrics(metrics, web_);
    server::write_game_metrics(metrics, api_.log(), api_.games(0).total);
    searches_.write_metrics(metrics);
    server::write_store_metrics(metrics, store_);
}

void Server::subscribe([[maybe_unused]] const store::RedisConfig& config) {
#if defined(PARLEY_REDIS)
    subscriber_ = std::make_unique<store::RedisSubscriber>(
        runtime_.io(), config,
        store::RedisSubscriber::Handlers{[this](const std::string& id) {
                                             if (const auto number = core::read_integer(id))
                                                 api_.refresh(GameId{*number});
                                         },
                                         [this] { api_.refresh_all(); }});
    subscriber_->start();
#endif
}

void Server::run() {
    schedule_cleanup();
    runtime_.run([this](const engine::Response& response) { searches_.handle_response(response); },
                 [this] { end(); },
                 {drain_time_, [this] { web_.close(); },
                  [this] { return api_.is_empty() && !web_.is_busy(); }});
}

void Server::schedule_cleanup() {
    timer_.expires_after(cleanup_interval);
    timer_.async_wait([this](const error_code& cancelled) {
        if (cancelled)
            return;
        api_.maintain();
        schedule_cleanup();
    });
}

void Server::end() {
    web_.close();
#if defined(PARLEY_REDIS)
    if (subscriber_)
        subscriber_->close();
#endif
    api_.disconnect_all();
    runtime_.stop_when([this] { return api_.is_empty(); });
}

std::string store_help() {
    std::string without = store::has_sqlite() ? "chezz.sqlite in this folder" : "memory";
    if (store::has_redis())
        without += ", or Redis if REDIS_HOST is set";
    return store::option_help(without);
}

int serve(const Options& options) {
    util::restrict_new_files();  // the store's file holds everyone's sessions
    const auto log = server::ServerLog::open(options.server.log);
    if (!log)
        return log_failure(log.reason());
    const auto settings = settings_from_environment();
    auto allowed = net::read_origins(options.server.origins);
    const auto front_end = net::read_origin(settings.allowed_origin);
    if (!front_end)
        return log_failure("ALLOWED_DOMAIN: " + front_end.reason());
    allowed.push_back(*front_end);
    const auto config = store::resolve(
        options.store, store_config(settings, session_id(util::SecureRandom{}.token())));
    auto store = store::open(config);
    if (!store)
        return log_failure(store.reason());
    engine::GeneralInterface engine;
    if (const auto error = apply(options.server.engine, engine))
        return log_failure(error->reason);
    Server server{engine, std::move(*store), options, net::Cors{allowed}};
    if (const auto error = server.listen(options.server))
        return log_failure(error->reason);
    if (config.backend == store::Backend::redis)
        server.subscribe(config.redis);
    util::log_info(fmt::format("listening on {}, games in {}, pages of {}", server.endpoints(),
                               store::describe(config), net::to_string(*front_end)));
    server.run();
    return exit_success;
}

}  // namespace

int run_chezz(std::span<const std::string> arguments) {
    Options options;
    options.server.port = 8'888;
    bool strict_promotion = false;
    CommandLine line{"chezz", "Serves chezz's games over HTTP and WebSocket."};
    add_server_options(line, options.server, 0,
                       {net::check_addresses, net::check_origin, net::check_proxy,
                        server::check_admin_address, server::check_queue_url});
    line.text("--store", options.store, store::option_values(), store_help());
    line.flag("--strict-promotion", strict_promotion,
              "Refuse a promotion without its letter; otherwise it is to a queen");
    line.flag("--draws-stop-play", options.rules.draws_stop_play,
              "End a game at the third repetition and at the fiftieth move, shown by the front end "
              "as stalemate; otherwise a player claims the draw");
    line.footer(
        "Environment, or the file .env in this folder: REDIS_HOST, REDIS_PORT, REDIS_PREFIX,\n"
        "REDIS_USER, REDIS_PASSWORD, REDIS_DATABASE, REDIS_TLS=1 for TLS, with the files "
        "REDIS_TLS_CA,\n"
        "REDIS_TLS_CERT and REDIS_TLS_KEY; and ALLOWED_DOMAIN, the origin whose pages may play\n"
        "beside those of --origin (default http://localhost:5173).");
    if (const auto status = line.parse(arguments))
        return *status;
    options.rules.queen_by_default = !strict_promotion;
    return serve(options);
}

}  // namespace uci::chezz::http
