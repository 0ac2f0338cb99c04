#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace uci::transport {

/// Counts the lines that were read and not answered yet, so that a client that does not read its
/// answers cannot fill the memory. One thread reads, any thread answers. (Not a
/// std::counting_semaphore: that of libstdc++ 12 can miss a release(), GCC bug 98033.)
class UnansweredLines {
public:
    explicit UnansweredLines(std::size_t max) : max_{max} {}

    /// Counts a line; waits first while `max` lines are not answered.
    void add() {
        std::unique_lock lock{mutex_};
        answered_.wait(lock, [this] { return count_ < max_; });
        ++count_;
    }
    /// One line has been answered.
    void remove() {
        // Notifies under the lock: afterwards the waiting thread may destroy this object.
        const std::lock_guard lock{mutex_};
        --count_;
        answered_.notify_one();
    }
    void wait_until_none() {
        std::unique_lock lock{mutex_};
        answered_.wait(lock, [this] { return count_ == 0; });
    }

private:
    std::mutex mutex_;  ///< guards what follows
    std::condition_variable answered_;
    const std::size_t max_;
    std::size_t count_ = 0;
};

}  // namespace uci::transport
