#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>

#include "engine/command.hpp"
#include "engine/response.hpp"
#include "engine/threading.hpp"

namespace engine {

/// The tasks that may take longer than a client wants to wait. The next long task ends a running
/// search, but waits for the end of a perft or bench. An explanation counts as a search.
enum class LongTask : unsigned char { search, perft_or_bench };

/// What a client can wait for.
enum class WaitFor : unsigned char {
    ready,       ///< all commands are handled, or something is running that nothing ends
    idle,        ///< all commands are handled and nothing is running
    all_reports  ///< no perft, bench or explanation is running or waiting
};

/// The queue between the protocols and the Main Task: commands go one way, responses the other,
/// both as values. Every function may be called from any thread; the engine's only locks are here
/// and in Task.
///
/// The state is that of the Main Task:
///
///            take() gets a command         begin(search)               end_long_task()
///     idle ────────────────────────> busy ───────────────> searching ───────────────────> busy
///          <────────────────────────      ───────────────> in perft or bench ───────────> busy
///            take() finds none             begin(perft_or_bench)       end_long_task()
///
/// It begins as busy. While a long task runs, some commands interrupt it (take_interrupt()):
///
///     command            searching                      in perft or bench
///     Stop               taken out, ends the search     taken out, ends it
///     PonderHit, Ask     taken out, the search goes on  waits
///     Go, Why, Perft,    stays, ends the search         waits
///     Bench
///     Quit               stays, ends the search         stays, ends it
///     all others         wait                           wait
///
/// Commands that are taken out overtake those that wait. A Stop behind one of those that wait and
/// end a search is meant for that one: it stays, and ends the running task too.
class CommandsResponses {
public:
    // For the General Interface.
    void post(Command command);
    /// Waits until that is true or the Main Task has ended; with a limit, at most that long.
    /// Whether it came to that.
    bool wait_until(WaitFor condition, std::optional<Milliseconds> max_wait = std::nullopt);
    /// The next response; waits for it. Nothing once the Main Task has ended.
    std::optional<Response> next_response();

    // For the Main Task and what it runs.
    /// Sleeps until the Main Task is needed: for a command, or because somebody waits for it. False
    /// if it only has to end.
    bool wait_until_needed();
    /// The next command; waits for it. The Main Task is busy until the next call.
    Command take();
    /// Appends a response; false when it was dropped because nobody reads them.
    bool send(Response response);
    /// A long task begins. While it runs, the Main Task counts as ready until a command comes that
    /// ends the task.
    void begin(LongTask task);
    /// The long task has ended; the Main Task is busy again.
    void end_long_task();
    /// Whether a command waits that the running task must handle: cheap enough for every node.
    bool interrupt_pending() const { return interrupt_pending_.load(std::memory_order_relaxed); }
    /// The flag behind it, for a search that checks it itself.
    const std::atomic<bool>& interrupt_flag() const { return interrupt_pending_; }
    /// The next interrupt of the running task (see the table above): Stop, PonderHit or Ask. A
    /// command that ends the task and stays gives a Stop at every call. Nothing when there is none.
    std::optional<Command> take_interrupt();
    /// Sleeps until there is an interrupt.
    void wait_for_interrupt();
    /// No more responses will come.
    void close();

private:
    enum class State : unsigned char { idle, busy, searching, perft_or_bench };

    bool is_running() const {
        return state_ == State::searching || state_ == State::perft_or_bench;
    }
    bool is_met(WaitFor condition) const;
    bool ends_long_task(const Command& command) const;
    bool interrupts(const Command& command) const;
    void update_interrupt_pending();

    mutable std::mutex mutex_;  ///< guards everything below but the atomics
    Condition command_posted_;
    Condition response_sent_;
    Condition state_changed_;
    std::deque<Command> commands_;
    std::deque<Response> responses_;
    std::size_t unread_bytes_ = 0;  ///< that the responses have allocated, about
    State state_ = State::busy;
    bool is_needed_ = false;  ///< somebody has waited for the Main Task
    bool closed_ = false;
    bool task_is_ending_ = false;
    bool owes_report_ = false;           ///< the command taken last is a perft, a bench or a why
    std::optional<TimePoint> spin_end_;  ///< after a stop: next_response() spins until then
    // Hints that are read without the lock, relaxed, because what they are about is read under it.
    // The search reads the first at every node: a late value only costs a few nodes. The second,
    // which next_response() reads as it spins: there is a response, or the end.
    std::atomic<bool> interrupt_pending_{false};
    std::atomic<bool> has_response_{false};
};

/// Marks a long task as running for as long as this lives.
class LongTaskGuard {
public:
    LongTaskGuard(CommandsResponses& queue, LongTask task) : queue_{queue} { queue_.begin(task); }
    ~LongTaskGuard() { queue_.end_long_task(); }
    LongTaskGuard(const LongTaskGuard&) = delete;
    LongTaskGuard& operator=(const LongTaskGuard&) = delete;
    LongTaskGuard(LongTaskGuard&&) = delete;
    LongTaskGuard& operator=(LongTaskGuard&&) = delete;

private:
    CommandsResponses& queue_;
};

}  // namespace engine
