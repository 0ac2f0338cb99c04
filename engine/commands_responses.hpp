#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "engine/command.hpp"
#include "engine/response.hpp"

namespace engine {

/// What may take longer than a client wants to wait: a search ends when the client goes on to
/// something else, counting (perft, bench) is finished first.
enum class LongTask : unsigned char { search, count };

/// The queue between whoever talks to the engine and the Main Task. Commands go one way,
/// responses the other, both as values. Every function may be called from any thread; this and
/// tasking are the only places with a lock.
class CommandsResponses {
public:
    // For the General Interface.
    void post(Command command);
    /// Waits until the Main Task has handled all that was posted, or is searching.
    void wait_until_ready();
    /// Waits until the Main Task has handled all that was posted and searches no more.
    void wait_until_idle();
    /// The same, but not for longer than that.
    void wait_until_idle(Milliseconds longest);
    /// Waits until nothing is being counted, or will be, but not for longer than that.
    void wait_for_counts(Milliseconds longest);
    /// The next response; waits for it. Nothing once the Main Task has ended.
    std::optional<Response> next_response();

    // For the Main Task and what it runs.
    /// The next command; waits for it. The Main Task counts as busy until it takes another.
    Command take();
    void send(Response response);
    /// A long task begins. While it runs, the Main Task counts as ready until something comes
    /// that ends the task.
    void begin(LongTask task);
    /// It has ended; the Main Task is busy with what remains to be done.
    void end_long_task();
    /// Whether something waits that a long task must know of: cheap enough to ask at every node.
    bool concerns_long_task() const { return concerns_.load(std::memory_order_relaxed); }
    /// What the running task must know of. Stop, and in a search PonderHit and Ask, are obeyed in
    /// place and leave the queue, past those that wait there for the end of the task; a command
    /// that cannot wait (Quit, and in a search a new long task) stands for a Stop and stays.
    /// Nothing when there is no such command.
    std::optional<Command> take_for_long_task();
    /// Sleeps until there is something that a long task must know of.
    void wait_for_long_task_command();
    /// No more responses will come.
    void close();

private:
    enum class State { idle, busy, searching, counting };

    bool is_settled() const;
    bool is_idle() const;
    bool is_counting() const;
    bool ends_long_task(const Command& command) const;
    bool concerns(const Command& command) const;
    void look_at_waiting();

    mutable std::mutex mutex_;
    std::condition_variable command_posted_;
    std::condition_variable response_sent_;
    std::condition_variable state_changed_;
    std::deque<Command> commands_;
    std::deque<Response> responses_;
    State state_ = State::busy;
    bool closed_ = false;
    bool task_is_ending_ = false;
    bool will_count_ = false;  ///< the command taken last is a perft or a bench
    // Read without the lock at every node; a late view only costs a few nodes.
    std::atomic<bool> concerns_{false};
};

}  // namespace engine
