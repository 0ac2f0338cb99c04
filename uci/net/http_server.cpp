#include "uci/net/http_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <utility>

#include "uci/net/client_quota.hpp"
#include "uci/net/http_connection.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

namespace uci::net {

namespace {

/// SO_SNDBUF. Small, so that bytes for a slow client wait here, where they are counted.
constexpr int socket_send_buffer = 64 * 1'024;

ConnectionLimits connection_limits(const HttpLimits& limits) {
    return {util::raise_file_descriptor_limit(limits.connections), limits.unsent,
            limits.unsent_total, limits.connections_per_client, limits.send_patience};
}

}  // namespace

HttpServer::HttpServer(boost::asio::io_context& io,
                       RequestHandler& handler,
                       HttpLimits limits,
                       TrustedProxies proxies)
    : handler_{handler},
      limits_{limits},
      state_{std::make_shared<HttpState>(HttpState{std::move(proxies)})},
      limiter_{std::make_shared<ConnectionLimiter>(connection_limits(limits))},
      listener_{io, [this](boost::asio::ip::tcp::socket socket) { accept(std::move(socket)); },
                [limiter = limiter_] { return limiter->evict(); }} {}

void HttpServer::accept(boost::asio::ip::tcp::socket socket) {
    boost::system::error_code ignored;
    const auto peer = socket.remote_endpoint(ignored).address();
    // A proxy shares its connections among its clients; their WebSockets are counted later.
    const auto client = state_->proxies.contains(peer) ? std::string{} : client_key(peer);
    auto slot = limiter_->has_room_for(client) ? limiter_->admit() : nullptr;
    if (!slot || !slot->assign(client)) {
        ++state_->statistics.refused_connections;
        util::log_debug("connection refused", {{"client", peer.to_string()}});
        return;  // the socket's destructor closes it
    }
    ++state_->statistics.connections;
    if (util::is_logged(util::LogLevel::debug))
        util::log_debug("connection accepted", {{"client", peer.to_string()}});
    socket.set_option(boost::asio::ip::tcp::no_delay{true}, ignored);
    socket.set_option(boost::asio::socket_base::send_buffer_size{socket_send_buffer}, ignored);
    serve_http(std::move(socket), {handler_, limits_, state_}, std::move(slot));
}

void HttpServer::close() {
    listener_.close();
    state_->is_closing = true;
}

}  // namespace uci::net
