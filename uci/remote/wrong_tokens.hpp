#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "uci/remote/limits.hpp"
#include "uci/util/lru_cache.hpp"

namespace uci::remote {

/// How often each address has sent a wrong token. Belongs to one thread.
class WrongTokens {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Whether an address may not try again now.
    bool is_blocked(const std::string& address, Time now) {
        return recent(address, now).size() >= max_wrong_tokens;
    }
    void note(const std::string& address, Time now) {
        auto times = recent(address, now);
        times.push_back(now);
        times_.set(address, times);
    }

private:
    std::vector<Time> recent(const std::string& address, Time now) {
        auto times = times_.find(address).value_or(std::vector<Time>{});
        times.erase(std::remove_if(times.begin(), times.end(),
                                   [&](Time time) { return now - time >= wrong_token_period; }),
                    times.end());
        return times;
    }

    util::LruCache<std::string, std::vector<Time>> times_{10'000};
};

}  // namespace uci::remote
