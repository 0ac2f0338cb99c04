#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace engine {

/// A thread of its own that does one job after the other and sleeps in between. Its stack is
/// large enough for the longest line of search on every system. The one who owns it gives the
/// jobs and waits for them.
class Task {
public:
    /// Starts the thread; throws std::system_error when the system has none left.
    Task();
    /// Waits for the job to be done.
    ~Task();
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    Task(Task&&) = delete;
    Task& operator=(Task&&) = delete;

    /// Begins a job; the one before must be done.
    void start(std::function<void()> job);
    /// Waits until the job is done.
    void wait();

private:
    class Thread;

    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> job_;
    bool ending_ = false;
    std::unique_ptr<Thread> thread_;
};

}  // namespace engine
