#include "engine/search_control.hpp"

#include <algorithm>

namespace engine {

namespace {

/// Nodes between two looks at the clock: well under a millisecond.
constexpr std::uint64_t nodes_between_looks = 512;
/// A stop waits for the first iteration, because a move at random helps nobody; but not longer
/// than these nodes, about a millisecond.
constexpr std::uint64_t nodes_before_stop = 2'000;

}  // namespace

SearchControl::SearchControl(Limits limits,
                             Clock clock,
                             CommandsResponses& link,
                             std::function<Snapshot(const Ask&)> answer)
    : limits_{std::move(limits)},
      clock_{clock},
      link_{link},
      answer_{std::move(answer)} {}

bool SearchControl::look_around(std::uint64_t nodes) {
    if (link_.concerns_long_task())
        obey_commands();
    if (limits_.nodes && nodes >= *limits_.nodes)
        stopped_ = true;
    if (clock_.budget().hard && !limits_.ponder && !limits_.infinite
        && clock_.used() >= *clock_.budget().hard)
        wants_to_stop_ = true;
    // Such an iteration would perhaps not have begun on the clock, and can take very long.
    if (iteration_began_pondering_ && has_thought_enough())
        wants_to_stop_ = true;
    if (wants_to_stop_ && (has_iteration_ || nodes >= nodes_before_stop))
        stopped_ = true;
    next_check_ = nodes + nodes_between_looks;
    if (limits_.nodes)
        next_check_ = std::min(next_check_, *limits_.nodes);
    return stopped_;
}

void SearchControl::obey_commands() {
    while (const auto command = link_.take_for_long_task()) {
        if (std::holds_alternative<Stop>(*command)) {
            wants_to_stop_ = true;
            limits_.infinite = limits_.ponder = false;
            return;
        }
        if (const auto* question = std::get_if<Ask>(&*command)) {
            link_.send(answer_(*question));
        }
        else if (limits_.ponder) {
            limits_.ponder = false;
            clock_.restart();
            iteration_began_pondering_ = true;
        }
    }
}

/// How much of the soft time this search should take: more when the best move got few of the
/// nodes, has just changed, or the score fell. Factors: Obsidian's.
double SearchControl::soft_factor(const Iteration& iteration) const {
    const double share = 0.63 + 2.0 * (1.0 - iteration.best_move_share);
    const double stability = 1.71 - 0.08 * std::min(stable_iterations_, 8);
    const double fall = std::clamp(0.95 + 0.012 * (last_score_ - iteration.score), 0.81, 1.50);
    return share * stability * fall;
}

bool SearchControl::enough(const Iteration& iteration) {
    has_iteration_ = true;
    iteration_began_pondering_ = false;
    stable_iterations_ = iteration.best_move == last_best_ ? stable_iterations_ + 1 : 0;
    const double factor = soft_factor(iteration);
    last_best_ = iteration.best_move;
    last_score_ = iteration.score;

    if (wants_to_stop_)
        return true;
    if (limits_.mate && is_decisive(iteration.score)
        && (plies_to_mate(iteration.score) + 1) / 2 <= *limits_.mate)
        return true;
    if (limits_.soft_nodes && iteration.nodes >= *limits_.soft_nodes)
        return true;
    if (!clock_.budget().soft)
        return false;
    const bool mate_found =
        is_decisive(iteration.score) && iteration.depth > 2 * plies_to_mate(iteration.score);
    is_settled_ = clock_.budget().in_a_hurry || iteration.forced || mate_found;
    const auto soft = std::chrono::duration<double, std::milli>{*clock_.budget().soft} * factor;
    soft_time_ = std::chrono::duration_cast<Milliseconds>(soft);
    return may_answer() && has_thought_enough();
}

bool SearchControl::has_thought_enough() const {
    return is_settled_ || (soft_time_ && clock_.used() >= *soft_time_);
}

int SearchControl::deepest() const {
    return std::clamp(limits_.depth.value_or(max_ply - 1), 1, max_ply - 1);
}

void SearchControl::wait_for_release() {
    while (!may_answer()) {
        link_.wait_for_long_task_command();
        obey_commands();
    }
}

}  // namespace engine
