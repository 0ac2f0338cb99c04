#pragma once

#include <functional>
#include <optional>

#include "engine/clock.hpp"
#include "engine/commands_responses.hpp"

namespace engine {

/// What an iteration of deepening ended with: what is needed to judge whether to go on.
struct Iteration {
    int depth = 0;
    std::uint64_t nodes = 0;  ///< searched so far, in all iterations of this worker
    Score score = draw;
    core::Move best_move{};
    double best_move_share = 1.0;  ///< the part of all nodes spent on the best move
    bool forced = false;           ///< there is only one legal move
};

/// Made for one search and lent to it: the only place that decides to stop. Belongs to the Main
/// Task's thread; other threads see only what it tells them.
class SearchControl {
public:
    /// The link brings commands during the search and takes what there is to tell. `answer`
    /// makes the snapshot for those who ask meanwhile.
    SearchControl(Limits limits,
                  Clock clock,
                  CommandsResponses& link,
                  std::function<Snapshot(const Ask&)> answer);

    /// Whether the search must end now, asked before each node with the nodes searched so far.
    bool should_stop(std::uint64_t nodes) {
        if (stopped_ || link_.concerns_long_task() || nodes >= next_check_)
            return look_around(nodes);
        return false;
    }
    /// Whether it was told to stop, by a command or by its clock.
    bool was_told_to_stop() const { return wants_to_stop_; }
    /// Whether deepening should end with this iteration.
    bool enough(const Iteration& iteration);
    /// The deepest iteration that may be begun.
    int deepest() const;
    bool is_depth_limited() const { return limits_.depth.has_value(); }

    void report(Response response) {
        if (!silent_)
            link_.send(std::move(response));
    }
    /// From now on reports are dropped.
    void keep_silent() { silent_ = true; }
    bool is_silent() const { return silent_; }
    Milliseconds elapsed() const { return clock_.elapsed(); }
    /// Sleeps until the answer may be given: at once, or after a stop in infinite mode, or after
    /// a stop or the ponder hit when pondering.
    void wait_for_release();

private:
    bool look_around(std::uint64_t nodes);
    void obey_commands();
    bool may_answer() const { return !limits_.infinite && !limits_.ponder; }
    bool has_thought_enough() const;
    double soft_factor(const Iteration& iteration) const;

    Limits limits_;
    Clock clock_;
    CommandsResponses& link_;
    std::function<Snapshot(const Ask&)> answer_;
    std::uint64_t next_check_ = 0;
    bool stopped_ = false;
    bool wants_to_stop_ = false;  ///< as soon as there is a move worth giving
    bool has_iteration_ = false;
    bool silent_ = false;

    bool iteration_began_pondering_ = false;  ///< and the ponder hit has come since

    // What the last iteration says about the time: nothing more is to be found, or enough is when
    // the clock has run so long.
    bool is_settled_ = false;
    std::optional<Milliseconds> soft_time_;

    // How the last iterations went.
    std::optional<core::Move> last_best_;
    Score last_score_ = draw;
    int stable_iterations_ = 0;
};

}  // namespace engine
