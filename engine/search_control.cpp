#include "engine/search_control.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "engine/threading.hpp"

namespace engine {

namespace {

/// Nodes between two checks of the clock: well under a millisecond.
constexpr std::uint64_t nodes_between_checks = 512;
/// A stop waits for the first iteration, so that the best move is not a random one; but at most
/// for this many nodes, about a millisecond.
constexpr std::uint64_t nodes_before_stop = 2'000;

}  // namespace

SearchControl::SearchControl(Limits limits, Clock clock, SearchListener& listener)
    : limits_{std::move(limits)},
      clock_{clock},
      listener_{listener},
      interrupt_flag_{listener.interrupt_flag()} {}

bool SearchControl::check_limits(std::uint64_t nodes) {
    give_way();
    if (interrupt_flag_.load(std::memory_order_relaxed)) {
        while (const auto interrupt = listener_.take_interrupt()) {
            handle(*interrupt);
            if (*interrupt == Interrupt::stop)
                break;
        }
    }
    if (limits_.nodes && nodes >= *limits_.nodes)
        stopped_ = true;
    if (clock_.budget().hard && !limits_.ponder && !limits_.infinite
        && clock_.used() >= *clock_.budget().hard)
        stop_requested_ = true;
    // After a ponder hit the iteration that runs ends at the soft time, not only at the hard
    // time: had the clock run all along, it might never have begun.
    if (iteration_began_pondering_ && has_thought_enough())
        stop_requested_ = true;
    if (stop_requested_ && !stop_at_ && (has_iteration_ || nodes >= nodes_before_stop))
        stop_at_ = nodes + 1;
    if (stop_at_ && nodes >= *stop_at_)
        stopped_ = true;
    next_check_ = stop_at_.value_or(nodes + nodes_between_checks);
    if (limits_.nodes)
        next_check_ = std::min(next_check_, *limits_.nodes);
    return stopped_;
}

void SearchControl::handle(Interrupt interrupt) {
    if (interrupt == Interrupt::stop) {
        stop_requested_ = true;
        limits_.infinite = limits_.ponder = false;
    }
    else if (limits_.ponder) {
        limits_.ponder = false;
        clock_.restart();
        iteration_began_pondering_ = true;
    }
}

/// The factor on the soft time: larger when the best move took a small share of the nodes, has
/// just changed, or the score fell. Values: Obsidian's.
double SearchControl::soft_factor(const Iteration& iteration) const {
    const double share = 0.63 + 2.0 * (1.0 - iteration.best_move_share);
    const double stability = 1.71 - 0.08 * std::min(stable_iterations_, 8);
    const double fall = std::clamp(0.95 + 0.012 * (last_score_ - iteration.score), 0.81, 1.50);
    return share * stability * fall;
}

bool SearchControl::enough(const Iteration& iteration) {
    assert(iteration.depth > 0 && iteration.depth < max_ply);
    assert(std::abs(iteration.score) <= mate);
    assert(iteration.best_move_share >= 0 && iteration.best_move_share <= 1);
    has_iteration_ = true;
    iteration_began_pondering_ = false;
    stable_iterations_ = iteration.best_move == last_best_ ? stable_iterations_ + 1 : 0;
    const double factor = soft_factor(iteration);
    last_best_ = iteration.best_move;
    last_score_ = iteration.score;

    if (stop_requested_)
        return true;
    if (limits_.mate && is_mate(iteration.score)
        && (plies_to_mate(iteration.score) + 1) / 2 <= *limits_.mate)
        return true;
    if (limits_.soft_nodes && iteration.nodes >= *limits_.soft_nodes)
        return true;
    if (!clock_.budget().soft)
        return false;
    const bool mate_found =
        is_mate(iteration.score) && iteration.depth > 2 * plies_to_mate(iteration.score);
    is_settled_ = clock_.budget().low_time || iteration.forced || mate_found;
    const auto soft = std::chrono::duration<double, std::milli>{*clock_.budget().soft} * factor;
    soft_time_ = std::chrono::duration_cast<Milliseconds>(soft);
    return may_send_bestmove() && has_thought_enough();
}

bool SearchControl::has_thought_enough() const {
    return is_settled_ || (soft_time_ && clock_.used() >= *soft_time_);
}

int SearchControl::max_depth() const {
    return std::clamp(limits_.depth.value_or(max_ply - 1), 1, max_ply - 1);
}

void SearchControl::wait_for_release() {
    while (!may_send_bestmove())
        handle(listener_.wait_for_interrupt());
}

}  // namespace engine
