#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace uci::net {

/// The reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.
class TrustedProxies {
public:
    using Address = boost::asio::ip::address;

    TrustedProxies() = default;
    /// Trusts what check_proxy() has checked.
    explicit TrustedProxies(const std::vector<std::string>& texts) {
        for (const auto& text : texts)
            add(text);
    }

    /// Trusts an address such as 127.0.0.1 or ::1, or a network such as 10.0.0.0/8. Error: what is
    /// wrong with the text.
    std::optional<core::Error> add(const std::string& text);
    bool contains(const Address& address) const;

    /// The address of the client behind a connection from `peer`: the last one in the value of
    /// X-Forwarded-For that is no trusted proxy, or `peer` itself if that is none.
    Address client_of(const Address& peer, std::string_view forwarded_for) const;

private:
    struct Network {
        Address address;
        unsigned prefix;
    };

    std::vector<Network> networks_;
};

/// Checks what TrustedProxies::add() reads.
std::optional<core::Error> check_proxy(const std::string& text);

}  // namespace uci::net
