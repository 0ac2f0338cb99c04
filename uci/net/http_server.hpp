#pragma once

#include <boost/asio/io_context.hpp>

#include "uci/net/connection_limiter.hpp"
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
    /// Accepts no more connections.
    void close() { listener_.close(); }

private:
    void accept(boost::asio::ip::tcp::socket socket);

    RequestHandler& handler_;
    HttpLimits limits_;
    std::shared_ptr<const TrustedProxies> proxies_;
    std::shared_ptr<ConnectionLimiter> limiter_;
    Listener listener_;
};

}  // namespace uci::net
