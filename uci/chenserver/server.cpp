#include "uci/chenserver/server.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "uci/chenserver/connection.hpp"
#include "uci/chenserver/dispatcher.hpp"
#include "uci/chenserver/limits.hpp"
#include "uci/net/client_quota.hpp"
#include "uci/net/connection_limiter.hpp"
#include "uci/net/listener.hpp"
#include "uci/net/origin.hpp"
#include "uci/server/admin_server.hpp"
#include "uci/server/game_log.hpp"
#include "uci/server/server_log.hpp"
#include "uci/server/server_metrics.hpp"
#include "uci/server/server_runtime.hpp"
#include "uci/server/timed_search_queue.hpp"
#include "uci/util/log.hpp"

namespace uci::chenserver {

namespace {

namespace asio = boost::asio;

/// Each connection has one answer, so what is not sent yet needs no limit of its own.
net::ConnectionLimits connection_limits() {
    net::ConnectionLimits limits{};
    limits.connections = max_connections;
    limits.unsent = limits.unsent_total = SIZE_MAX;
    limits.per_client = max_connections_per_client;
    return limits;
}

/// The server: all sockets and the dispatcher in the I/O thread, the engine in its own.
class Server : public ChenserverHost, public server::AdminTarget {
public:
    Server(engine::GeneralInterface& engine, const ServerOptions& options)
        : runtime_{engine},
          queue_{engine, runtime_.io(), search_policy()},
          dispatcher_{queue_, &game_log_},
          limiter_{std::make_shared<net::ConnectionLimiter>(connection_limits())},
          listener_{runtime_.io(),
                    [this](asio::ip::tcp::socket socket) { accept(std::move(socket)); },
                    [limiter = limiter_] { return limiter->evict(); }},
          same_origin_{net::read_origins(options.settings.origins)},
          admin_{runtime_.io(), *this},
          drain_time_{options.settings.drain_seconds},
          no_exit_{options.no_exit},
          allow_exit_{options.allow_exit} {}

    std::optional<core::Error> listen(const ServerSettings& settings) {
        if (auto error = admin_.listen(settings.admin))
            return error;
        return listener_.listen(settings.addresses, static_cast<unsigned short>(settings.port));
    }
    std::string endpoints() const { return listener_.endpoints(); }
    void run() {
        runtime_.run(
            [this](const engine::Response& response) { handle(response); }, [this] { end(); },
            {drain_time_, [this] { listener_.close(); }, [this] { return connections_.empty(); }});
    }

    CommandId submit(const std::string& command, Reply reply, const std::string& client) override {
        ++commands_;
        if (util::is_logged(util::LogLevel::debug))
            util::log_debug("command", {{"text", command}});
        const auto id = dispatcher_.submit(command, std::move(reply), client);
        stop_if_ended();
        return id;
    }
    void abandon(CommandId id) override {
        dispatcher_.abandon(id);
        stop_if_ended();
    }
    const net::SameOrigin& same_origin() const override { return same_origin_; }
    std::optional<std::string> refuse_exit() const override;
    void remove_connection(std::size_t id) override { connections_.erase(id); }

    void check_ready(OnReadiness callback) override {
        callback(runtime_.is_draining() ? std::optional{core::Error{"draining"}} : std::nullopt);
    }
    void write_metrics(server::MetricsWriter& metrics) const override;
    server::GameList games(std::size_t limit) const override;
    void end_game(const std::string& id, OnEnded callback) override;
    void drain() override { runtime_.drain(); }

private:
    void handle(const engine::Response& response);
    void stop_if_ended();
    void accept(asio::ip::tcp::socket socket);
    void end();

    server::ServerRuntime runtime_;
    server::TimedSearchQueue queue_;
    server::GameLog game_log_;
    Dispatcher dispatcher_;
    std::shared_ptr<net::ConnectionLimiter> limiter_;
    net::Listener listener_;
    std::map<std::size_t, std::shared_ptr<ChenserverConnection>> connections_;
    std::size_t next_id_ = 0;
    std::uint64_t refused_ = 0;
    std::uint64_t commands_ = 0;
    net::SameOrigin same_origin_;
    server::AdminServer admin_;
    std::chrono::seconds drain_time_;
    bool no_exit_;
    bool allow_exit_;
};

std::optional<std::string> Server::refuse_exit() const {
    if (no_exit_)
        return "FORBIDDEN";
    if (!listener_.is_local_only() && !allow_exit_)
        return "FORBIDDEN --allow-exit allows it";
    return std::nullopt;
}

void Server::handle(const engine::Response& response) {
    queue_.handle_response(response);
    stop_if_ended();
}

/// A client's `exit` ends the server once everything before it is answered.
void Server::stop_if_ended() {
    if (dispatcher_.has_ended())
        runtime_.request_stop();
}

void Server::accept(asio::ip::tcp::socket socket) {
    boost::system::error_code ignored;
    const auto address = socket.remote_endpoint(ignored).address();
    const auto client = net::client_key(address);
    auto slot = limiter_->has_room_for(client) ? limiter_->admit() : nullptr;
    if (!slot || !slot->assign(client)) {
        ++refused_;
        util::log_debug("connection refused", {{"client", address.to_string()}});
        return;  // the socket closes itself
    }
    if (util::is_logged(util::LogLevel::debug))
        util::log_debug("connection", {{"client", address.to_string()}});
    socket.set_option(asio::ip::tcp::no_delay{true}, ignored);
    const auto id = next_id_++;
    const auto connection =
        std::make_shared<ChenserverConnection>(*this, std::move(socket), std::move(slot), id);
    connections_.emplace(id, connection);
    connection->start();
}

void Server::write_metrics(server::MetricsWriter& metrics) const {
    server::write_connection_metrics(metrics, connections_.size(), next_id_, refused_);
    metrics.counter("parley_commands_total", "Commands received, by TCP and HTTP.", commands_);
    server::write_game_metrics(metrics, game_log_, dispatcher_.games().count());
    server::write_search_metrics(metrics, queue_.statistics());
}

/// The games with a name: the one that all share is always there.
server::GameList Server::games(std::size_t limit) const {
    server::GameList list{dispatcher_.games().count()};
    const auto now = std::chrono::steady_clock::now();
    dispatcher_.games().visit_first(limit, [&](const std::string& name, const ServedGame& served,
                                               GameRegistry::Time last_use) {
        list.games.push_back({name, served.game.moves().size(), 0,
                              std::chrono::duration_cast<std::chrono::seconds>(now - last_use)});
    });
    return list;
}

void Server::end_game(const std::string& id, OnEnded callback) {
    if (!dispatcher_.games().contains(id))
        return callback(false);
    dispatcher_.end_game(id, [callback](const std::string&) { callback(true); });
    stop_if_ended();
}

/// Answers that are being written still arrive; then nothing is left to do and run() ends.
void Server::end() {
    listener_.close();
    admin_.close();
    queue_.close();
    const auto connections = connections_;
    for (const auto& [id, connection] : connections) {
        if (!connection->is_writing())
            connection->close();
    }
}

}  // namespace

int run_server(const ServerOptions& options) {
    const auto& settings = options.settings;
    const auto log = server::ServerLog::open(settings.log);
    if (!log)
        return log_failure(log.reason());
    engine::GeneralInterface engine;
    if (const auto error = apply(settings.engine, engine))
        return log_failure(error->reason);
    Server server{engine, options};
    if (const auto error = server.listen(settings))
        return log_failure(error->reason);
    util::log_info("listening on " + server.endpoints());
    server.run();
    return exit_success;
}

}  // namespace uci::chenserver
