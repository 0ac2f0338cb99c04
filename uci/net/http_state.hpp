#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "uci/net/proxies.hpp"
#include "uci/net/request_handler.hpp"

namespace uci::net {

/// What a server's clients have done since its start.
struct HttpStatistics {
    std::uint64_t connections = 0;                ///< accepted
    std::uint64_t refused_connections = 0;        ///< closed at once, because of a limit
    std::map<unsigned, std::uint64_t> responses;  ///< by status; 101 is a WebSocket
    std::size_t websockets = 0;                   ///< open now
};

/// What the connections of a server share and change. Belongs to the server's thread.
struct HttpState {
    TrustedProxies proxies;
    HttpStatistics statistics{};
    bool is_closing = false;  ///< connections end with their next response
};

/// What each connection of a server is given.
struct HttpContext {
    RequestHandler& handler;  ///< must outlive the connections
    HttpLimits limits;
    std::shared_ptr<HttpState> state;
};

}  // namespace uci::net
