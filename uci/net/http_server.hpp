#pragma once

#include <boost/asio/io_context.hpp>

#include "uci/net/connection_limiter.hpp"
#include "uci/net/http_state.hpp"
#include "uci/net/listener.hpp"
#include "uci/net/proxies.hpp"
#include "uci/net/request_handler.hpp"

namespace uci::net {

/// Serves HTTP/1.1 with keep-alive, and WebSockets. When there are too many connections, the one
/// that has been idle for the longest time is closed. Belongs to the thread of its io_context.
class HttpServer {
public:
    HttpServer(boost::asio::io_context& io,
               RequestHandler& handler,
               HttpLimits limits,
               TrustedProxies proxies = {});

    /// Listens on a port of all addresses in a comma-separated list; "" means 127.0.0.1 and ::1.
    std::optional<core::Error> listen(const std::string& addresses, unsigned short port) {
        return listener_.listen(addresses, port);
    }
    /// Where it listens, for a log line.
    std::string endpoints() const { return listener_.endpoints(); }
    /// Accepts no more connections. Those that are open end with their next response; WebSockets
    /// stay.
    void close();
    const HttpStatistics& statistics() const { return state_->statistics; }
    std::size_t count_connections() const { return limiter_->count(); }
    /// Whether a client waits for an answer, or has a WebSocket and is heard of.
    bool is_busy() const { return limiter_->count() > limiter_->count_idle(); }

private:
    void accept(boost::asio::ip::tcp::socket socket);

    RequestHandler& handler_;
    HttpLimits limits_;
    std::shared_ptr<HttpState> state_;
    std::shared_ptr<ConnectionLimiter> limiter_;
    Listener listener_;
};

}  // namespace uci::net
