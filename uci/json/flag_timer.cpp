#include "uci/json/flag_timer.hpp"

namespace uci::json {

FlagTimer::~FlagTimer() {
    {
        const std::lock_guard lock{mutex_};
        is_over_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable())
        thread_.join();
}

void FlagTimer::set(std::optional<Time> time) {
    if (!time && !thread_.joinable())
        return;
    {
        const std::lock_guard lock{mutex_};
        time_ = time;
    }
    changed_.notify_one();
    if (!thread_.joinable())
        thread_ = std::thread{[this] { run(); }};
}

void FlagTimer::run() {
    std::unique_lock lock{mutex_};
    while (!is_over_) {
        if (!time_) {
            changed_.wait(lock);
        }
        else if (std::chrono::steady_clock::now() < *time_) {
            const Time until = *time_;
            changed_.wait_until(lock, until);
        }
        else {
            time_.reset();
            lock.unlock();
            call_();
            lock.lock();
        }
    }
}

}  // namespace uci::json
