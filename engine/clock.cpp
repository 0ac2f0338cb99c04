#include "engine/clock.hpp"

#include <algorithm>
#include <cassert>

namespace engine {

namespace {

constexpr int default_movestogo = 50;
/// The overhead is reserved for at most this many moves: more would waste a short clock on moves
/// that few games reach.
constexpr int moves_with_overhead = 8;

/// The part of a clock kept in reserve against delays of a busy machine: a share of the clock, and
/// at most this many milliseconds.
constexpr double max_reserve_ms = 300;
constexpr double reserve_share = 0.75;

Milliseconds to_milliseconds(double value) {
    return Milliseconds{static_cast<Milliseconds::rep>(std::max(1.0, value))};
}

/// The budget on a game clock: a share of the remaining time and future increments, capped by a
/// share of the remaining time alone, so that neither a large increment nor the last move of a time
/// control uses it up. Formula and shares: Obsidian's.
TimeBudget game_budget(double time,
                       double increment,
                       std::optional<int> movestogo,
                       double overhead) {
    TimeBudget budget;
    const double available = time - overhead - std::min(max_reserve_ms, reserve_share * time);
    if (available < 3) {
        budget.low_time = true;
        budget.soft = budget.hard = Milliseconds{1};
        return budget;
    }
    const int moves = std::clamp(movestogo.value_or(default_movestogo), 1, default_movestogo);
    const double on_the_way = overhead * std::min(moves, moves_with_overhead);
    const double left = std::max(1.0, available + increment * (moves - 1) - on_the_way);
    const double soft = movestogo ? std::min(0.9 / moves * left, 0.8 * available)
                                  : std::min(0.025 * left, 0.2 * available);
    const double hard = std::min((movestogo == 1 ? 0.85 : 0.6) * available, 5 * soft);
    budget.soft = to_milliseconds(std::min(soft, hard));
    budget.hard = to_milliseconds(hard);
    return budget;
}

}  // namespace

TimeBudget time_budget(const Limits& limits, core::Color player, Milliseconds overhead) {
    TimeBudget budget;
    if (limits.has_clock()) {
        // Some clients send only one clock; it counts for both sides.
        const auto& own = limits.clocks[core::index_of(player)];
        const auto& other = limits.clocks[core::index_of(~player)];
        const auto time = own.time ? own.time : other.time;
        const auto moves =
            limits.movestogo && *limits.movestogo > 0 ? limits.movestogo : std::nullopt;
        budget = game_budget(static_cast<double>(time->count()),
                             static_cast<double>(std::max(own.increment, Milliseconds{0}).count()),
                             moves, static_cast<double>(overhead.count()));
    }
    if (limits.movetime) {
        // The move must arrive within the time: subtract a part of the overhead.
        const Milliseconds kept = std::min(overhead, *limits.movetime / 20);
        const Milliseconds available = std::max(Milliseconds{1}, *limits.movetime - kept);
        budget.hard = budget.hard ? std::min(*budget.hard, available) : available;
        if (budget.soft)
            budget.soft = std::min(*budget.soft, *budget.hard);
    }
    assert(!budget.soft || (budget.hard && *budget.soft <= *budget.hard));
    return budget;
}

Clock::Clock(const Limits& limits, core::Color player, Milliseconds overhead)
    : start_{limits.arrival},
      running_since_{limits.arrival},
      budget_{time_budget(limits, player, overhead)} {}

Milliseconds Clock::elapsed() const {
    return since(start_);
}

Milliseconds Clock::used() const {
    return since(running_since_);
}

}  // namespace engine
