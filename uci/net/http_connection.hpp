#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "uci/net/connection_limiter.hpp"
#include "uci/net/proxies.hpp"
#include "uci/net/request_handler.hpp"

namespace uci::net {

/// What all connections of a server share.
struct HttpContext {
    RequestHandler& handler;  ///< must outlive the connections
    HttpLimits limits;
    std::shared_ptr<const TrustedProxies> proxies;
};

/// Serves one accepted connection until it is closed: HTTP/1.1 requests one after the other, and
/// after an upgrade a WebSocket. Runs in the socket's io_context.
void serve_http(boost::asio::ip::tcp::socket socket,
                HttpContext context,
                std::shared_ptr<ConnectionSlot> slot);

}  // namespace uci::net
