#include "engine/tasking.hpp"

#include <cassert>
#include <utility>

namespace engine {

Task::Task() : thread_{[this] { work(); }} {}

Task::~Task() {
    wait();
    {
        const std::lock_guard lock{mutex_};
        ending_ = true;
    }
    changed_.notify_all();
}

void Task::start(std::function<void()> job) {
    const std::lock_guard lock{mutex_};
    assert(job && !job_ && !ending_);
    job_ = std::move(job);
    changed_.notify_all();
}

void Task::wait() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return !job_; });
}

void Task::work() {
    std::unique_lock lock{mutex_};
    for (;;) {
        changed_.wait(lock, [&] { return job_ || ending_; });
        if (!job_)
            return;
        lock.unlock();
        job_();
        lock.lock();
        job_ = nullptr;
        changed_.notify_all();
    }
}

}  // namespace engine
