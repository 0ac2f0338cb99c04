#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace uci::json {

/// Calls a function in a thread of its own, which begins with the first time that is set, as soon
/// as that time has come. Belongs to one thread.
class FlagTimer {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit FlagTimer(std::function<void()> call) : call_{std::move(call)} {}
    FlagTimer(const FlagTimer&) = delete;
    FlagTimer& operator=(const FlagTimer&) = delete;
    ~FlagTimer();

    /// Sets the only time at which the function is called, or none.
    void set(std::optional<Time> time);

private:
    void run();

    std::function<void()> call_;
    std::thread thread_;
    std::mutex mutex_;  ///< guards what follows
    std::condition_variable changed_;
    std::optional<Time> time_;
    bool is_over_ = false;
};

}  // namespace uci::json
