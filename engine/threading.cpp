#include "engine/threading.hpp"

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
class Thread::Implementation {
public:
    explicit Implementation(std::function<void()> function) : thread_{std::move(function)} {}
    ~Implementation() { thread_.join(); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    Implementation(Implementation&&) = delete;
    Implementation& operator=(Implementation&&) = delete;

private:
    std::thread thread_;
};

#else

class Thread::Implementation {
public:
    explicit Implementation(std::function<void()> function) : function_{std::move(function)} {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, stack_size);
        const auto run = [](void* owner) -> void* {
            static_cast<Implementation*>(owner)->function_();
            return nullptr;
        };
        const int error = pthread_create(&thread_, &attributes, run, this);
        pthread_attr_destroy(&attributes);
        if (error != 0)
            throw std::system_error{error, std::generic_category()};
    }
    ~Implementation() { pthread_join(thread_, nullptr); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    Implementation(Implementation&&) = delete;
    Implementation& operator=(Implementation&&) = delete;

private:
    static constexpr std::size_t stack_size = std::size_t{8} << 20;

    std::function<void()> function_;
    pthread_t thread_{};
};

#endif

Thread::Thread(std::function<void()> function)
    : implementation_{std::make_unique<Implementation>(std::move(function))} {}

Thread::~Thread() = default;

void Condition::notify_one() {
    condition_.notify_one();
}

void Condition::notify_all() {
    condition_.notify_all();
}

void Condition::wait_once(std::unique_lock<std::mutex>& lock) {
    condition_.wait(lock);
}

bool Condition::wait_until(std::unique_lock<std::mutex>& lock, TimePoint end) {
    return condition_.wait_until(lock, end) == std::cv_status::no_timeout;
}

void give_way() {}

}  // namespace engine
