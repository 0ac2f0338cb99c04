#pragma once

#include <chrono>
#include <future>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace uci::store {

/// Finds the addresses of a host name in limited time. Belongs to one thread.
class RedisHostLookup {
public:
    using Addresses = core::Result<std::vector<std::string>>;

    /// The addresses as texts, in the system's order. The system's lookup cannot be ended: after
    /// `timeout` it goes on in a thread of its own, and the next call for this host waits for the
    /// same one. Error: the name is not known, or not yet.
    Addresses find(const std::string& host, std::chrono::milliseconds timeout);

private:
    std::string host_;
    std::shared_future<Addresses> lookup_;
};

}  // namespace uci::store
