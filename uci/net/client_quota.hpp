#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <string>

#include "uci/util/lru_cache.hpp"

// Limits for each client address.
namespace uci::net {

/// What the limits take for one client: an IPv4 address, or the /64 network of an IPv6 address, of
/// which a household has all. Empty for this machine, which has no such limits: without
/// --trust-proxy all clients of a proxy on it come from there.
std::string client_key(const boost::asio::ip::address& address);

/// How often each client may do something: a token bucket for each. Belongs to one thread.
class RateLimiter {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A client may do it `burst` times at once, and again after each `interval`.
    RateLimiter(int burst, std::chrono::milliseconds interval)
        : burst_{burst},
          interval_{interval} {}

    /// Whether a client may do it now, which counts. An empty key always may.
    bool allow(const std::string& client, Time now);

private:
    int burst_;
    std::chrono::milliseconds interval_;
    /// When the bucket of each client will be full again.
    util::LruCache<std::string, Time> full_at_{100'000};
};

}  // namespace uci::net
