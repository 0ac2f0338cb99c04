#include "uci/remote/listen_server.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "uci/command_line.hpp"
#include "uci/net/connection_limiter.hpp"
#include "uci/net/http_connection.hpp"
#include "uci/net/keep_alive.hpp"
#include "uci/net/listener.hpp"
#include "uci/net/networks.hpp"
#include "uci/net/origin.hpp"
#include "uci/net/same_origin.hpp"
#include "uci/remote/line_connection.hpp"
#include "uci/remote/websocket_wire.hpp"
#include "uci/server/server_log.hpp"
#include "uci/server/server_runtime.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

namespace uci::remote {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

/// SO_SNDBUF. Small, so that what waits for a slow client waits here, where it is counted.
constexpr int socket_send_buffer = 64 * 1'024;

net::ConnectionLimits connection_limits(int sessions) {
    net::ConnectionLimits limits{};
    limits.connections = util::raise_file_descriptor_limit(max_waiting_connections
                                                           + static_cast<std::size_t>(sessions));
    // Each client has its own OutputQueue.
    limits.unsent = limits.unsent_total = SIZE_MAX;
    return limits;
}

net::HttpLimits http_limits() {
    net::HttpLimits limits;
    limits.message = max_line;
    limits.unsent = limits.unsent_total = SIZE_MAX;
    // The limit of an idle session is the client's own.
    limits.websocket_idle_timeout = std::chrono::hours{24};
    return limits;
}

net::HttpResponse answer_to(const net::HttpRequest& request,
                            http::status status,
                            std::string body) {
    net::HttpResponse response{status, request.version()};
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.body() = std::move(body) + "\n";
    return response;
}

/// The server: all sockets and clients in the I/O thread, each engine in threads of its own.
class ListenServer : public SessionHost, public net::RequestHandler {
public:
    ListenServer(const ListenOptions& options, const DialectInfo& dialect)
        : settings_{options.settings},
          max_sessions_{static_cast<std::size_t>(options.sessions)},
          dialect_{dialect},
          allowed_{options.allowed},
          same_origin_{net::read_origins(options.origins)},
          http_state_{std::make_shared<net::HttpState>()},
          limiter_{std::make_shared<net::ConnectionLimiter>(connection_limits(options.sessions))},
          listener_{runtime_.io(),
                    [this](asio::ip::tcp::socket socket) { accept(std::move(socket)); },
                    [limiter = limiter_] { return limiter->evict(); }} {}

    std::optional<core::Error> listen(const ListenOptions& options) {
        return listener_.listen(options.addresses, static_cast<unsigned short>(options.port));
    }
    std::string endpoints() const { return listener_.endpoints(); }
    void run() {
        runtime_.run([this] { end(); });
    }

    asio::io_context& io() override { return runtime_.io(); }
    const Settings& settings() const override { return settings_; }
    WrongTokens& wrong_tokens() override { return wrong_tokens_; }
    std::string new_nonce() override { return remote::new_nonce(random_); }
    std::shared_ptr<EngineSession> begin_session(
        const std::shared_ptr<RemoteClient>& client) override;
    void end_session_of(const std::string& key) override;
    void remove(const RemoteClient& client) override;

    void handle(const net::HttpRequest& request, Respond respond) override;
    void upgrade(const net::HttpRequest& request, Decide decide) override;

private:
    void accept(asio::ip::tcp::socket socket);
    std::shared_ptr<RemoteClient> add_client(const asio::ip::address& address);
    void end();

    server::ServerRuntime runtime_;
    Settings settings_;
    std::size_t max_sessions_;
    const DialectInfo& dialect_;
    net::Networks allowed_;
    net::SameOrigin same_origin_;
    util::SecureRandom random_;
    WrongTokens wrong_tokens_;
    std::shared_ptr<net::HttpState> http_state_;
    std::shared_ptr<net::ConnectionLimiter> limiter_;
    net::Listener listener_;
    std::map<const RemoteClient*, std::shared_ptr<RemoteClient>> clients_;
    /// Until they have ended: a search that is stopped needs a moment.
    std::map<std::size_t, std::shared_ptr<EngineSession>> sessions_;
    std::set<const RemoteClient*> playing_;  ///< those with a session
    std::size_t next_session_ = 0;
};

void ListenServer::accept(asio::ip::tcp::socket socket) {
    boost::system::error_code error;
    const auto address = net::unmapped(socket.remote_endpoint(error).address());
    if (error)
        return;
    if (!allowed_.empty() && !allowed_.contains(address)) {
        util::log_info("client not allowed", {{"client", address.to_string()}});
        return;  // the socket's destructor closes it
    }
    auto slot = limiter_->admit();
    if (!slot)
        return;
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay{true}, ignored);
    socket.set_option(asio::socket_base::send_buffer_size{socket_send_buffer}, ignored);
    net::keep_alive(socket, keep_alive_after);
    const auto on_http = [this](asio::ip::tcp::socket http_socket,
                                std::shared_ptr<net::ConnectionSlot> http_slot,
                                const std::string& received) {
        net::serve_http(std::move(http_socket), {*this, http_limits(), http_state_},
                        std::move(http_slot), received);
    };
    std::make_shared<LineConnection>(std::move(socket), std::move(slot), add_client(address),
                                     on_http)
        ->start();
}

std::shared_ptr<RemoteClient> ListenServer::add_client(const asio::ip::address& address) {
    auto client = std::make_shared<RemoteClient>(*this, address);
    clients_.emplace(client.get(), client);
    return client;
}

std::shared_ptr<EngineSession> ListenServer::begin_session(
    const std::shared_ptr<RemoteClient>& client) {
    // An ended session may still be stopping its search: as many as there are places.
    if (playing_.size() >= max_sessions_ || sessions_.size() >= 2 * max_sessions_)
        return nullptr;
    const auto id = next_session_++;
    EngineSession::Events events;
    events.on_line = [this, weak = std::weak_ptr{client}](std::string line) {
        asio::post(io(), [weak, line = std::move(line)] {
            if (const auto receiver = weak.lock())
                receiver->on_engine_line(line);
        });
    };
    events.on_end = [this, id] { asio::post(io(), [this, id] { sessions_.erase(id); }); };
    auto session = std::make_shared<EngineSession>(dialect_, settings_.options, std::move(events));
    sessions_.emplace(id, session);
    playing_.insert(client.get());
    return session;
}

void ListenServer::end_session_of(const std::string& key) {
    const auto found = std::find_if(clients_.begin(), clients_.end(),
                                    [&](const auto& entry) { return entry.second->key() == key; });
    if (found == clients_.end())
        return;
    const auto client = found->second;
    client->close("its client has connected again");
}

void ListenServer::remove(const RemoteClient& client) {
    playing_.erase(&client);
    clients_.erase(&client);
}

void ListenServer::handle(const net::HttpRequest& request, Respond respond) {
    respond(answer_to(request, http::status::not_found,
                      "This is a chess engine. It speaks UCI over TCP on this port, and over a "
                      "WebSocket at /uci."));
}

void ListenServer::upgrade(const net::HttpRequest& request, Decide decide) {
    const std::string target{request.target()};
    if (target.substr(0, target.find('?')) != "/uci") {
        decide(answer_to(request, http::status::not_found, "The engine's WebSocket is /uci."));
        return;
    }
    if (const auto error = same_origin_.check_change(net::request_origin(request))) {
        decide(answer_to(request, http::status::forbidden, error->reason));
        return;
    }
    decide(std::make_shared<WebSocketWire>(add_client(request.client)));
}

void ListenServer::end() {
    listener_.close();
    http_state_->is_closing = true;
    const auto clients = clients_;
    for (const auto& [address, client] : clients)
        client->close("the server stops");
    runtime_.stop_when([this] { return sessions_.empty(); });
}

}  // namespace

int run_listen_server(const ListenOptions& options, const DialectInfo& dialect) {
    const auto log = server::ServerLog::open(options.log);
    if (!log)
        return log_failure(log.reason());
    ListenServer server{options, dialect};
    if (const auto error = server.listen(options))
        return log_failure(error->reason);
    util::log_info("listening on " + server.endpoints());
    server.run();
    return exit_success;
}

}  // namespace uci::remote
