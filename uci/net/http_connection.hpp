#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string_view>

#include "uci/net/connection_limiter.hpp"
#include "uci/net/http_state.hpp"

namespace uci::net {

/// Serves one accepted connection until it is closed: HTTP/1.1 requests one after the other, and
/// after an upgrade a WebSocket. Runs in the socket's io_context. `received` is what has already
/// been read from the socket.
void serve_http(boost::asio::ip::tcp::socket socket,
                HttpContext context,
                std::shared_ptr<ConnectionSlot> slot,
                std::string_view received = {});

}  // namespace uci::net
