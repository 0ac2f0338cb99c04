#include "uci/net/client_quota.hpp"

#include <algorithm>
#include <boost/asio/ip/network_v6.hpp>

namespace uci::net {

std::string client_key(const boost::asio::ip::address& address) {
    if (address.is_loopback() || address.is_unspecified())
        return {};
    if (address.is_v4())
        return address.to_string();
    const auto v6 = address.to_v6();
    if (v6.is_v4_mapped())
        return client_key(boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, v6));
    // What one customer of a provider gets at least (RFC 6177).
    constexpr unsigned short prefix_length = 64;
    return boost::asio::ip::make_network_v6(v6, prefix_length).network().to_string();
}

bool RateLimiter::allow(const std::string& client, Time now) {
    if (client.empty())
        return true;
    const auto full_at = std::max(full_at_.find(client).value_or(now), now) + interval_;
    if (full_at - now > burst_ * interval_)
        return false;
    full_at_.set(client, full_at);
    return true;
}

}  // namespace uci::net
