#include "uci/json/web/server.hpp"

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "core/paths.hpp"

#include "uci/command_line.hpp"
#include "uci/json/web/application.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/json/web/offline_copy.hpp"
#include "uci/json/web/search_policy.hpp"
#include "uci/json/web/stored_rooms.hpp"
#include "uci/net/http_server.hpp"
#include "uci/net/listener.hpp"
#include "uci/net/origin.hpp"
#include "uci/net/proxies.hpp"
#include "uci/server/admin_server.hpp"
#include "uci/server/server_log.hpp"
#include "uci/server/server_metrics.hpp"
#include "uci/server/server_runtime.hpp"
#include "uci/server/server_searches.hpp"
#include "uci/server/timed_alarms.hpp"
#include "uci/store/store_factory.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

#if defined(PARLEY_REDIS)
#include "uci/store/redis_subscriber.hpp"
#endif

namespace uci::json::web {

namespace {

net::HttpLimits http_limits() {
    net::HttpLimits limits;
    limits.connections = max_connections;
    limits.connections_per_client = max_connections_per_client;
    limits.body = limits.message = max_input_size;
    return limits;
}

server::SearchSettings search_settings(const ServerSettings& settings) {
    return {settings.queue, static_cast<std::size_t>(settings.engine.hash),
            !settings.engine.syzygy_path.empty()};
}

/// The store and the rooms in it; neither if the games are in memory only.
class RunningStore {
public:
    RunningStore(boost::asio::io_context& io, std::unique_ptr<store::Store> store) {
        if (!store)
            return;
        store_.emplace(io, std::move(store),
                       store::AsyncLimits{max_pending_store_jobs, max_store_wait});
        rooms_.emplace(*store_);
    }

    const store::AsyncStore* store() const { return store_ ? &*store_ : nullptr; }
    StoredRooms* rooms() { return rooms_ ? &*rooms_ : nullptr; }

private:
    std::optional<store::AsyncStore> store_;
    std::optional<StoredRooms> rooms_;
};

/// All sockets and games belong to the I/O thread, the engine has its own.
class Server : public server::AdminTarget {
public:
    Server(engine::GeneralInterface& engine,
           const ServerSettings& settings,
           SharedTablebases tablebases,
           WriteReview write_review,
           std::unique_ptr<store::Store> store)
        : runtime_{engine},
          store_{runtime_.io(), std::move(store)},
          searches_{engine, runtime_.io(), search_policy(), search_settings(settings)},
          alarms_{runtime_.io()},
          reviews_{searches_.queue(), std::move(write_review)},
          games_{{.queue = searches_.queue(),
                  .tablebases = std::move(tablebases),
                  .reviews = &reviews_,
                  .store = store_.rooms(),
                  .alarms = &alarms_}},
          application_{games_, reviews_, net::SameOrigin{net::read_origins(settings.origins)}},
          web_{runtime_.io(), application_, http_limits(), net::TrustedProxies{settings.proxies}},
          admin_{runtime_.io(), *this},
          sweep_timer_{runtime_.io()},
          store_timer_{runtime_.io()},
          drain_time_{settings.drain_seconds} {}

    std::optional<core::Error> listen(const ServerSettings& settings) {
        if (auto error = admin_.listen(settings.admin))
            return error;
        if (auto error =
                web_.listen(settings.addresses, static_cast<unsigned short>(settings.port)))
            return error;
        return std::nullopt;
    }
    /// Subscribes to the changes that other servers make in the same Redis.
    void subscribe(const store::RedisConfig& config);
    std::string endpoints() const { return web_.endpoints(); }
    void run() {
        remove_expired_games();
        clean_store();
        runtime_.run(
            [this](const engine::Response& response) { searches_.handle_response(response); },
            [this] { end(); },
            {drain_time_, [this] { web_.close(); },
             [this] { return application_.is_empty() && !web_.is_busy(); }});
    }

    void check_ready(OnReadiness callback) override {
        if (runtime_.is_draining())
            callback(core::Error{"draining"});
        else if (auto* const rooms = store_.rooms())
            rooms->check(std::move(callback));
        else
            callback(std::nullopt);
    }
    void write_metrics(server::MetricsWriter& metrics) const override {
        server::write_http_metrics(metrics, web_);
        server::write_game_metrics(metrics, games_.log(), games_.size());
        searches_.write_metrics(metrics);
        if (const auto* const store = store_.store())
            server::write_store_metrics(metrics, *store);
    }
    server::GameList games(std::size_t limit) const override;
    void end_game(const std::string& id, OnEnded callback) override {
        application_.end_game(id, std::move(callback));
    }
    void drain() override { runtime_.drain(); }

private:
    void remove_expired_games();
    void clean_store();
    void end();

    server::ServerRuntime runtime_;
    RunningStore store_;
    server::ServerSearches searches_;
    server::TimedAlarms alarms_;
    GameReviews reviews_;
    GameRegistry games_;
    Application application_;
    net::HttpServer web_;
    server::AdminServer admin_;
    boost::asio::steady_timer sweep_timer_;
    boost::asio::steady_timer store_timer_;
    std::chrono::seconds drain_time_;
#if defined(PARLEY_REDIS)
    std::unique_ptr<store::RedisSubscriber> subscriber_;
#endif
};

server::GameList Server::games(std::size_t limit) const {
    server::GameList list{games_.size()};
    const auto now = std::chrono::steady_clock::now();
    for (const auto& room : games_.first(limit))
        list.games.push_back(
            {room->id(), room->plies(), room->count_participants(),
             std::chrono::duration_cast<std::chrono::seconds>(now - room->last_activity())});
    return list;
}

void Server::remove_expired_games() {
    games_.remove_expired(std::chrono::steady_clock::now());
    sweep_timer_.expires_after(sweep_interval);
    sweep_timer_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled)
            remove_expired_games();
    });
}

void Server::subscribe([[maybe_unused]] const store::RedisConfig& config) {
#if defined(PARLEY_REDIS)
    subscriber_ = std::make_unique<store::RedisSubscriber>(
        runtime_.io(), config,
        store::RedisSubscriber::Handlers{[this](const std::string& id) { games_.refresh(id); },
                                         [this] { games_.refresh_all(); }});
    subscriber_->start();
#endif
}

void Server::clean_store() {
    if (store_.rooms() == nullptr)
        return;
    store_.rooms()->renew_lease();
    store_.rooms()->maintain();
    games_.follow_other_servers();
    store_timer_.expires_after(store_cleanup_interval);
    store_timer_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled)
            clean_store();
    });
}

void Server::end() {
#if defined(PARLEY_REDIS)
    if (subscriber_)
        subscriber_->close();
#endif
    if (auto* const rooms = store_.rooms())
        rooms->end_lease();
    web_.close();
    application_.disconnect_all();
    runtime_.stop_when([this] { return application_.is_empty(); });
}

int run_server(const ServerSettings& settings, const std::string& store, WriteReview write_review) {
    util::restrict_new_files();  // the store's file tells who plays which game
    const auto log = server::ServerLog::open(settings.log);
    if (!log)
        return log_failure(log.reason());
    engine::GeneralInterface engine;
    if (const auto error = apply(settings.engine, engine))
        return log_failure(error->reason);
    const auto tablebases = open_tablebases(settings.engine.syzygy_path);
    if (!tablebases)
        return log_failure(tablebases.reason());
    auto opened = open_store(store);
    if (!opened)
        return log_failure("--store: " + opened.reason());
    Server server{engine, settings, *tablebases, std::move(write_review),
                  std::move((*opened).store)};
    if (const auto error = server.listen(settings))
        return log_failure(error->reason);
    if (opened->redis)
        server.subscribe(*opened->redis);
    util::log_info("listening on " + server.endpoints() + ", games in " + opened->description);
    server.run();
    return exit_success;
}

}  // namespace

int serve(std::span<const std::string> arguments, WriteReview write_review) {
    ServerSettings settings;
    std::string store;
    std::string offline_copy;
    std::string wasm;
    settings.port = 8'080;
    CommandLine line{"serve",
                     "Serves a page to play on, and JSON messages over HTTP and WebSocket."};
    add_server_options(line, settings, 0,
                       {net::check_addresses, net::check_origin, net::check_proxy,
                        server::check_admin_address, server::check_queue_url});
    line.text("--store", store, store::option_values(), store_help());
    line.text("--offline-copy", offline_copy, "FOLDER",
              "Write the page into a folder instead, so that it plays from any web server with "
              "files, with the engine in the browser");
    line.text("--wasm", wasm, "FOLDER",
              "With --offline-copy: where parley.js and parley.wasm are, if not beside the program "
              "or in share/parley");
    line.footer(
        "Environment, for --store redis: REDIS_HOST, REDIS_PORT, REDIS_PREFIX, REDIS_USER,\n"
        "REDIS_PASSWORD, REDIS_DATABASE, and REDIS_TLS=1 for TLS, with the files REDIS_TLS_CA,\n"
        "REDIS_TLS_CERT and REDIS_TLS_KEY.");
    if (const auto status = line.parse(arguments))
        return *status;
    if (!wasm.empty() && offline_copy.empty())
        return line.refuse("--wasm needs --offline-copy");
    if (!offline_copy.empty()) {
        const auto error = write_offline_copy(core::utf8_path(offline_copy), core::utf8_path(wasm));
        return error ? log_failure(error->reason) : exit_success;
    }
    return run_server(settings, store, std::move(write_review));
}

}  // namespace uci::json::web
