#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "engine/command.hpp"
#include "engine/response.hpp"

namespace engine {

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
    /// The next response; waits for it. Nothing once the Main Task has ended.
    std::optional<Response> next_response();

    // For the Main Task and what it runs.
    /// The next command; waits for it. The Main Task counts as busy until it takes another.
    Command take();
    void send(Response response);
    /// A search begins, or ends. While it runs, the Main Task counts as ready until something
    /// comes that ends the search.
    void set_searching(bool searching);
    /// Whether something waits that a running search must know of: cheap enough to ask at every
    /// node.
    bool concerns_search() const { return concerns_search_.load(std::memory_order_relaxed); }
    /// What a running search must know of. Stop, PonderHit and Ask are obeyed in place and leave
    /// the queue, past those that wait there for the end of the search; a new Go, or another
    /// long task, stands for a Stop and stays. Nothing when there is no such command.
    std::optional<Command> take_for_search();
    /// Sleeps until there is something that a search must know of.
    void wait_for_search_command();
    /// No more responses will come.
    void close();

private:
    enum class State { idle, busy, searching };

    bool is_settled() const;
    void look_for_search_commands();

    mutable std::mutex mutex_;
    std::condition_variable command_posted_;
    std::condition_variable response_sent_;
    std::condition_variable state_changed_;
    std::deque<Command> commands_;
    std::deque<Response> responses_;
    State state_ = State::busy;
    bool closed_ = false;
    bool search_is_ending_ = false;
    // Read without the lock at every node; a late view only costs a few nodes.
    std::atomic<bool> concerns_search_{false};
};

}  // namespace engine
