#include "uci/net/networks.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace uci::net {

namespace {

namespace ip = boost::asio::ip;
using boost::system::error_code;

/// The address in IPv6, where an IPv4 address is ::ffff:1.2.3.4, so that both are compared alike.
ip::address_v6 as_v6(const ip::address& address) {
    return address.is_v4() ? ip::make_address_v6(ip::v4_mapped, address.to_v4()) : address.to_v6();
}

unsigned bits_of(const ip::address& address) {
    constexpr unsigned v4_bits = 32;
    constexpr unsigned v6_bits = 128;
    return address.is_v4() ? v4_bits : v6_bits;
}

bool share_prefix(const ip::address& one, const ip::address& other, unsigned prefix) {
    const auto left = as_v6(one).to_bytes();
    const auto right = as_v6(other).to_bytes();
    // In IPv6 96 more bits stand before an IPv4 address.
    const unsigned bits = prefix + 128 - bits_of(one);
    for (unsigned bit = 0; bit < bits; ++bit) {
        const unsigned mask = 0x80U >> (bit % 8);
        if ((left.at(bit / 8) & mask) != (right.at(bit / 8) & mask))
            return false;
    }
    return true;
}

}  // namespace

ip::address unmapped(const ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, address.to_v6());
    return address;
}

std::optional<core::Error> Networks::add(const std::string& text) {
    const core::Error wrong{
        core::quoted(text)
        + " is not an address such as 127.0.0.1 or a network such as 10.0.0.0/8"};
    const auto slash = text.find('/');
    error_code error;
    const auto address = ip::make_address(text.substr(0, slash), error);
    if (error)
        return wrong;
    unsigned prefix = bits_of(address);
    if (slash != std::string::npos) {
        const auto number = core::read_integer(text.substr(slash + 1));
        if (!number || *number < 0 || *number > prefix)
            return wrong;
        prefix = static_cast<unsigned>(*number);
    }
    networks_.push_back({address, prefix});
    return std::nullopt;
}

bool Networks::contains(const ip::address& address) const {
    return std::any_of(networks_.begin(), networks_.end(), [&](const Network& network) {
        return share_prefix(network.address, address, network.prefix);
    });
}

std::optional<core::Error> check_network(const std::string& text) {
    return Networks{}.add(text);
}

}  // namespace uci::net
