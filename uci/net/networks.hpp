#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace uci::net {

/// An IPv4 address that came over an IPv6 socket, as IPv4; others as they are.
boost::asio::ip::address unmapped(const boost::asio::ip::address& address);

/// A set of addresses and networks.
class Networks {
public:
    Networks() = default;
    /// What check_network() has checked.
    explicit Networks(const std::vector<std::string>& texts) {
        for (const auto& text : texts)
            add(text);
    }

    /// Adds an address such as 127.0.0.1 or ::1, or a network such as 10.0.0.0/8. Error: what is
    /// wrong with the text.
    std::optional<core::Error> add(const std::string& text);
    bool contains(const boost::asio::ip::address& address) const;
    bool empty() const { return networks_.empty(); }

private:
    struct Network {
        boost::asio::ip::address address;
        unsigned prefix;
    };

    std::vector<Network> networks_;
};

/// Checks what Networks::add() reads.
std::optional<core::Error> check_network(const std::string& text);

}  // namespace uci::net
