#include <algorithm>
#include <cassert>
#include <cstddef>
#include <emscripten/emscripten.h>
#include <emscripten/fiber.h>
#include <optional>
#include <utility>
#include <vector>

#include "engine/threading.hpp"

// Threads for a program that has only one, in WebAssembly: each is a fiber with a stack of its own.
// The first thread, main()'s, divides the time: when it waits, it runs the fibers that do not wait,
// one after the other, and then lets JavaScript handle its events, such as a line for the engine.

// Returns to JavaScript's event loop, for a moment (0), until something arrives (negative), or
// until something arrives and at most that many milliseconds. Module.pause is in uci/wasm/host.js.
EM_JS(void, parley_pause, (double milliseconds), {
    return Asyncify.handleSleep(function(resume) { Module["pause"](milliseconds, resume); });
});

namespace engine {

namespace {

/// How long a fiber may compute before others get their turn.
constexpr Milliseconds turn{15};

/// The memory for a search of the greatest depth: C++'s stack, and what Asyncify writes when it
/// unwinds and rewinds a call stack.
constexpr std::size_t stack_bytes = std::size_t{2} << 20;
constexpr std::size_t asyncify_bytes = std::size_t{512} << 10;
constexpr std::size_t main_asyncify_bytes = std::size_t{16} << 10;

struct Fiber {
    std::function<void()> function;
    emscripten_fiber_t context{};
    std::unique_ptr<std::byte[]> stack;           // NOLINT(modernize-avoid-c-arrays)
    std::unique_ptr<std::byte[]> asyncify_stack;  // NOLINT(modernize-avoid-c-arrays)
    const Condition* waiting_for = nullptr;       ///< null while it can run
    bool ended = false;
};

/// Runs main() and the fibers in turn. There is one scheduler, because there is one thread.
class Scheduler {
public:
    static Scheduler& instance() {
        static Scheduler scheduler;
        return scheduler;
    }

    void add(Fiber& fiber) { fibers_.push_back(&fiber); }
    void remove(const Fiber& fiber) { std::erase(fibers_, &fiber); }
    /// The present fiber goes on when the condition has been notified. In main(), perhaps before
    /// that, and at the latest at this time.
    void wait(const Condition& condition, std::optional<TimePoint> end);
    void notify(const Condition& condition);
    void give_way();
    /// Ends the turn of the present fiber.
    void switch_to_main() {
        emscripten_fiber_swap(&std::exchange(running_, nullptr)->context, &main_.context);
    }

private:
    Scheduler() {
        main_.asyncify_stack = std::make_unique<std::byte[]>(main_asyncify_bytes);
        emscripten_fiber_init_from_current_context(&main_.context, main_.asyncify_stack.get(),
                                                   main_asyncify_bytes);
    }

    void run_fibers();
    bool can_run() const {
        return std::any_of(fibers_.begin(), fibers_.end(),
                           [](const Fiber* fiber) { return fiber->waiting_for == nullptr; });
    }

    Fiber main_;
    std::vector<Fiber*> fibers_;
    Fiber* running_ = nullptr;  ///< null: main()
    TimePoint turn_began_;
};

void Scheduler::run_fibers() {
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
        if (fibers_[i]->waiting_for != nullptr)
            continue;
        running_ = fibers_[i];
        turn_began_ = std::chrono::steady_clock::now();
        emscripten_fiber_swap(&main_.context, &running_->context);
    }
}

void Scheduler::wait(const Condition& condition, std::optional<TimePoint> end) {
    Fiber& present = running_ != nullptr ? *running_ : main_;
    present.waiting_for = &condition;
    if (running_ != nullptr) {
        switch_to_main();
        return;
    }
    run_fibers();
    if (main_.waiting_for == nullptr)
        return;
    double pause = 0;
    if (!can_run())
        pause = end ? static_cast<double>(
                    std::max(Milliseconds{0}, std::chrono::duration_cast<Milliseconds>(
                                                  *end - std::chrono::steady_clock::now()))
                        .count()
                    + 1)
                    : -1;
    parley_pause(pause);
    main_.waiting_for = nullptr;
}

void Scheduler::notify(const Condition& condition) {
    if (main_.waiting_for == &condition)
        main_.waiting_for = nullptr;
    for (Fiber* fiber : fibers_) {
        if (fiber->waiting_for == &condition)
            fiber->waiting_for = nullptr;
    }
}

void Scheduler::give_way() {
    if (running_ != nullptr && since(turn_began_) >= turn)
        switch_to_main();
}

/// Where a fiber begins. It never returns: the last turn ends here.
void run(void* data) {
    auto& fiber = *static_cast<Fiber*>(data);
    fiber.function();
    fiber.ended = true;
    Scheduler::instance().remove(fiber);
    Scheduler::instance().switch_to_main();
}

}  // namespace

class Thread::Implementation {
public:
    explicit Implementation(std::function<void()> function) {
        fiber_.function = [this, function = std::move(function)] {
            function();
            ended_.notify_all();
        };
        fiber_.stack = std::make_unique<std::byte[]>(stack_bytes);
        fiber_.asyncify_stack = std::make_unique<std::byte[]>(asyncify_bytes);
        Scheduler::instance();
        emscripten_fiber_init(&fiber_.context, run, &fiber_, fiber_.stack.get(), stack_bytes,
                              fiber_.asyncify_stack.get(), asyncify_bytes);
        Scheduler::instance().add(fiber_);
    }
    ~Implementation() {
        while (!fiber_.ended)
            Scheduler::instance().wait(ended_, std::nullopt);
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    Implementation(Implementation&&) = delete;
    Implementation& operator=(Implementation&&) = delete;

private:
    Fiber fiber_;
    Condition ended_;
};

Thread::Thread(std::function<void()> function)
    : implementation_{std::make_unique<Implementation>(std::move(function))} {}

Thread::~Thread() = default;

void Condition::notify_one() {
    notify_all();
}

void Condition::notify_all() {
    Scheduler::instance().notify(*this);
}

void Condition::wait_once(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    Scheduler::instance().wait(*this, std::nullopt);
    lock.lock();
}

bool Condition::wait_until(std::unique_lock<std::mutex>& lock, TimePoint end) {
    lock.unlock();
    Scheduler::instance().wait(*this, end);
    lock.lock();
    return std::chrono::steady_clock::now() < end;
}

void give_way() {
    Scheduler::instance().give_way();
}

}  // namespace engine
