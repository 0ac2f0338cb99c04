#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

#include "uci/net/networks.hpp"

namespace uci::net {

/// The reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.
class TrustedProxies : public Networks {
public:
    using Address = boost::asio::ip::address;
    using Networks::Networks;

    /// The address of the client behind a connection from `peer`: the last one in the value of
    /// X-Forwarded-For that is no trusted proxy, or `peer` itself if that is none.
    Address client_of(const Address& peer, std::string_view forwarded_for) const;
};

/// Checks what a proxy is named by: an address or a network.
inline std::optional<core::Error> check_proxy(const std::string& text) {
    return check_network(text);
}

}  // namespace uci::net
