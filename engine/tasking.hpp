#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace engine {

/// A thread that runs one job after the other and sleeps in between. Its stack is large enough for
/// the deepest search on every system. start() and wait() are called by the owner's thread.
class Task {
public:
    /// Starts the thread; throws std::system_error if the system refuses it.
    Task();
    /// Waits for the job to end.
    ~Task();
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    Task(Task&&) = delete;
    Task& operator=(Task&&) = delete;

    /// Starts a job; the one before must have ended.
    void start(std::function<void()> job);
    /// Waits until the job has ended.
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
