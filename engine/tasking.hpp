#pragma once

#include <functional>
#include <mutex>

#include "engine/threading.hpp"

namespace engine {

/// A thread that runs one job after the other and sleeps in between. start() and wait() are
/// called by the owner's thread.
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
    void work();

    std::mutex mutex_;
    Condition changed_;
    std::function<void()> job_;
    bool ending_ = false;
    Thread thread_;  ///< the last member: it ends before the others do
};

}  // namespace engine
