#pragma once

#include <optional>

#include "core/square.hpp"

#include "engine/limits.hpp"

namespace engine {

/// How long a search may take. After the soft time no new iteration begins; the hard time ends
/// the search wherever it is. Nothing means no limit.
struct TimeBudget {
    std::optional<Milliseconds> soft;
    std::optional<Milliseconds> hard;
    /// So little is left that the first move at hand must do.
    bool in_a_hurry = false;
};

/// The chess clock of the player that the engine plays for: what the limits of a search mean in
/// time, and how much of it has gone.
class Clock {
public:
    Clock(const Limits& limits, core::Color player, Milliseconds overhead);

    const TimeBudget& budget() const { return budget_; }
    /// Time since the search was asked for, pondering included.
    Milliseconds elapsed() const;
    /// Time that the player's clock has run.
    Milliseconds used() const;
    /// The opponent played the move that was pondered on: the clock begins to run now.
    void restart() { running_since_ = std::chrono::steady_clock::now(); }

private:
    TimePoint start_;
    TimePoint running_since_;
    TimeBudget budget_;
};

/// The budget for a player under these limits. Each move in the control may lose the overhead
/// on its way.
TimeBudget time_budget(const Limits& limits, core::Color player, Milliseconds overhead);

}  // namespace engine
