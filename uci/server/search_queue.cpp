#include "uci/server/search_queue.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

#include "core/split_mix.hpp"

namespace uci::server {

namespace {

using engine::Milliseconds;

std::uint64_t random_base() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

SearchQueue::SearchQueue() : salt_base_{random_base()} {}

std::uint64_t SearchQueue::salt_of(const SearchJob& job) const {
    std::uint64_t salt = core::split_mix(salt_base_);
    for (const char character : job.game_id)
        salt = core::split_mix(salt ^ static_cast<unsigned char>(character));
    // Within a game an analysis and an opponent of limited strength each have their own salt: a
    // weak player must not play the moves of a deep search.
    salt = core::split_mix(salt ^ static_cast<std::uint64_t>(job.priority));
    salt = core::split_mix(salt ^ static_cast<std::uint64_t>(job.limits.depth.value_or(0)));
    salt = core::split_mix(salt ^ job.limits.nodes.value_or(0));
    salt = core::split_mix(salt ^ static_cast<std::uint64_t>(job.limits.elo.value_or(0)));
    return salt | 1U;  // 0 is the salt of a program with one game
}

void SearchQueue::when_not_full(std::function<void()> retry,
                                Priority priority,
                                const std::string& client,
                                Quota quota) {
    retries_[static_cast<std::size_t>(priority)].push_back({client, quota, std::move(retry)});
    call_retries(priority);
}

/// A retry usually submits a job, so the queue may be full again after each.
void SearchQueue::call_retries(Priority priority) {
    if (is_calling_retries_)
        return;
    is_calling_retries_ = true;
    const auto reset = [](bool* calling) { *calling = false; };
    // Resets the flag even if a retry throws.
    const std::unique_ptr<bool, decltype(reset)> guard{&is_calling_retries_, reset};
    auto& retries = retries_[static_cast<std::size_t>(priority)];
    while (!is_full(priority)) {
        const auto next = std::find_if(retries.begin(), retries.end(), [&](const Retry& retry) {
            return !is_full(priority, retry.client, retry.quota);
        });
        if (next == retries.end())
            return;
        const auto call = std::move(next->call);
        retries.erase(next);
        call();
    }
}

Milliseconds SearchQueue::slice(const SearchQueuePolicy& policy, std::size_t players) {
    const auto share =
        policy.player_round / static_cast<std::int64_t>(std::max<std::size_t>(players, 2));
    return std::max(share, policy.min_player_slice);
}

}  // namespace uci::server
