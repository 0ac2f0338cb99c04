#pragma once

#include <optional>

#include "core/square.hpp"

#include "engine/limits.hpp"

namespace engine {

/// The time for a search. After the soft time no new iteration starts; the hard time ends the
/// search at once. Nothing means no limit.
struct TimeBudget {
    std::optional<Milliseconds> soft;
    std::optional<Milliseconds> hard;
    /// Almost no time is left: end after the first iteration.
    bool low_time = false;
};

/// The clock of the side to move during one search: its time budget and the time used so far.
class Clock {
public:
    Clock(const Limits& limits, core::Color player, Milliseconds overhead);

    const TimeBudget& budget() const { return budget_; }
    /// Time since the go command arrived, pondering included.
    Milliseconds elapsed() const;
    /// Time that the engine's own clock has run: without pondering.
    Milliseconds used() const;
    /// After a ponder hit: the own clock starts to run now.
    void restart() { running_since_ = std::chrono::steady_clock::now(); }

private:
    TimePoint start_;
    TimePoint running_since_;
    TimeBudget budget_;
};

/// The budget of a player under these limits. The overhead is the time that each move loses between
/// the engine and the server.
TimeBudget time_budget(const Limits& limits, core::Color player, Milliseconds overhead);

}  // namespace engine
