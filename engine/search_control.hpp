#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include "engine/clock.hpp"
#include "engine/search_listener.hpp"

namespace engine {

/// The result of one iteration of iterative deepening, as far as time management needs it.
struct Iteration {
    int depth = 0;
    std::uint64_t nodes = 0;  ///< searched so far, in all iterations of this worker
    Score score = draw;
    core::Move best_move{};
    double best_move_share = 1.0;  ///< fraction of all nodes spent on the best move
    bool forced = false;           ///< only one root move, or only one that the tables rank first
};

/// Made for one search and lent to it: the only place that decides to stop. Belongs to the thread
/// that searches; helper threads do not see it.
class SearchControl {
public:
    SearchControl(Limits limits, Clock clock, SearchListener& listener);

    /// Whether the search must end now; called before each node with the nodes searched so far.
    bool should_stop(std::uint64_t nodes) {
        if (stopped_ || interrupt_flag_.load(std::memory_order_relaxed) || nodes >= next_check_)
            return check_limits(nodes);
        return false;
    }
    /// Checks the limits at the next node: this one may have taken long.
    void check_soon() { next_check_ = 0; }
    /// Whether an interrupt or the clock has ended the search.
    bool stop_requested() const { return stop_requested_; }
    /// Whether iterative deepening should end after this iteration.
    bool enough(const Iteration& iteration);
    /// The largest depth that iterative deepening may start.
    int max_depth() const;
    bool is_depth_limited() const { return limits_.depth.has_value(); }

    /// Whether anybody reads reports.
    bool wants_reports() const { return listener_.wants_reports(); }
    void report(Info info) { listener_.report(std::move(info)); }
    void report(CurrentMove current) { listener_.report(current); }
    Milliseconds elapsed() const { return clock_.elapsed(); }
    /// Whether the best move may be sent: not before a stop in infinite mode, and not while
    /// pondering.
    bool may_send_bestmove() const { return !limits_.infinite && !limits_.ponder; }
    /// Sleeps until it may be sent.
    void wait_for_release();

private:
    bool check_limits(std::uint64_t nodes);
    void handle(Interrupt interrupt);
    bool has_thought_enough() const;
    double soft_factor(const Iteration& iteration) const;

    Limits limits_;
    Clock clock_;
    SearchListener& listener_;
    const std::atomic<bool>& interrupt_flag_;
    std::uint64_t next_check_ = 0;
    /// Where an interrupt or the clock ends the search. The check may be called several times with
    /// the same number of nodes; the search ends at the first call with a new one, where a limit of
    /// nodes would end it, so that `parley replay` can repeat it.
    std::optional<std::uint64_t> stop_at_;
    bool stopped_ = false;
    bool stop_requested_ = false;  ///< stop once the first iteration has found a move
    bool has_iteration_ = false;

    bool iteration_began_pondering_ = false;  ///< and the ponder hit has come since

    // What the last iteration means for the time: the move is settled, or it will be once the
    // clock has used the soft time.
    bool is_settled_ = false;
    std::optional<Milliseconds> soft_time_;

    // For the stability of the best move and the trend of the score.
    std::optional<core::Move> last_best_;
    Score last_score_ = draw;
    int stable_iterations_ = 0;
};

}  // namespace engine
