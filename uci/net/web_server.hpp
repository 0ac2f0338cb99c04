#pragma once

#include <boost/asio/io_context.hpp>

#include "uci/net/listener.hpp"
#include "uci/net/web.hpp"
#include "uci/net/web_crowd.hpp"

namespace uci::net {

/// Serves an application: HTTP/1.1 with keep-alive, and WebSockets. When there are too many
/// connections, the one makes room who has been silent for the longest time. Belongs to the
/// thread of its io_context.
class WebServer {
public:
    WebServer(boost::asio::io_context& io, WebApplication& application, WebLimits limits);

    /// Listens on a port of all addresses in a list ("" is this machine, by IPv4 and IPv6); or
    /// says why that cannot be.
    std::optional<core::Error> listen(const std::string& addresses, unsigned short port) {
        return listener_.listen(addresses, port);
    }
    /// Where it listens, in words.
    std::string places() const { return listener_.places(); }
    /// Whether only this machine can reach it.
    bool is_local_only() const { return listener_.is_local_only(); }
    /// Takes no more connections.
    void close() { listener_.close(); }

private:
    void take(boost::asio::ip::tcp::socket socket);

    WebApplication& application_;
    WebLimits limits_;
    std::shared_ptr<WebCrowd> crowd_;
    Listener listener_;
};

}  // namespace uci::net
