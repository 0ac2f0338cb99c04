#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/limits.hpp"

// The threads of the engine and of the protocols. threading.cpp has those of the system;
// threading_fibers.cpp takes its place where a program has one thread, in WebAssembly: there the
// threads are fibers, which take turns when they wait and in give_way().
namespace engine {

#if defined(__EMSCRIPTEN__)
/// The threads that may search at the same time.
inline constexpr int max_search_threads = 1;
#else
inline constexpr int max_search_threads = 1024;
#endif

/// Lets other threads run where all threads are fibers; costs nothing elsewhere. Long computations
/// call it about once a millisecond.
void give_way();

/// Runs a function in a thread. Its stack is large enough for the deepest search on every system.
class Thread {
public:
    /// Starts it; throws std::system_error if the system refuses the thread.
    explicit Thread(std::function<void()> function);
    /// Waits for its end.
    ~Thread();
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    Thread(Thread&&) = delete;
    Thread& operator=(Thread&&) = delete;

private:
    class Implementation;

    std::unique_ptr<Implementation> implementation_;
};

/// A condition variable for these threads.
class Condition {
public:
    template <typename IsMet>
    void wait(std::unique_lock<std::mutex>& lock, IsMet is_met) {
        while (!is_met())
            wait_once(lock);
    }
    /// The same, but at most that long. Whether the condition is met.
    template <typename IsMet>
    bool wait_for(std::unique_lock<std::mutex>& lock, Milliseconds max_wait, IsMet is_met) {
        const TimePoint end = std::chrono::steady_clock::now() + max_wait;
        while (!is_met()) {
            if (!wait_until(lock, end))
                return is_met();
        }
        return true;
    }
    void notify_one();
    void notify_all();

private:
    void wait_once(std::unique_lock<std::mutex>& lock);
    /// False when the time is over.
    bool wait_until(std::unique_lock<std::mutex>& lock, TimePoint end);

    std::condition_variable condition_;
};

/// Spin wait: waits without sleeping for what another thread does in microseconds, because to be
/// woken up would take longer. Gives up at the end.
template <typename IsMet>
void spin_wait(IsMet is_met, TimePoint end) {
    while (!is_met() && std::chrono::steady_clock::now() < end) {
        give_way();
        std::this_thread::yield();
    }
}

}  // namespace engine
