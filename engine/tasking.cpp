#include "engine/tasking.hpp"

#include <cassert>
#include <system_error>
#include <utility>

// Starts threads with a given stack size, which std::thread cannot do; the default of macOS is only
// 512 KB.
#if defined(_WIN32)
#include <thread>
#else
#include <pthread.h>
#endif

namespace engine {

#if defined(_WIN32)

// On Windows the stack size is in the program's header: a linker option in CMake sets it.
class Task::Thread {
public:
    explicit Thread(Task& task) : thread_{[&task] { task.work(); }} {}
    ~Thread() { thread_.join(); }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    Thread(Thread&&) = delete;
    Thread& operator=(Thread&&) = delete;

private:
    std::thread thread_;
};

#else

class Task::Thread {
public:
    explicit Thread(Task& task) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, stack_size);
        const auto run = [](void* owner) -> void* {
            static_cast<Task*>(owner)->work();
            return nullptr;
        };
        const int error = pthread_create(&thread_, &attributes, run, &task);
        pthread_attr_destroy(&attributes);
        if (error != 0)
            throw std::system_error{error, std::generic_category()};
    }
    ~Thread() { pthread_join(thread_, nullptr); }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    Thread(Thread&&) = delete;
    Thread& operator=(Thread&&) = delete;

private:
    static constexpr std::size_t stack_size = std::size_t{8} << 20;

    pthread_t thread_{};
};

#endif

Task::Task() : thread_{std::make_unique<Thread>(*this)} {}

Task::~Task() {
    wait();
    {
        const std::lock_guard lock{mutex_};
        ending_ = true;
    }
    changed_.notify_all();
    thread_.reset();
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
