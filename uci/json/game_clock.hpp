#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "core/piece.hpp"

#include "engine/limits.hpp"

namespace uci::json {

/// What a player has for a game: time to begin with, and more for each move.
struct PlayerTime {
    engine::Milliseconds base{0};
    engine::Milliseconds increment{0};

    friend bool operator==(const PlayerTime&, const PlayerTime&) = default;
};

/// White's and Black's time.
using TimeControl = std::array<PlayerTime, 2>;

// Limits of what a client may ask for.
inline constexpr std::chrono::hours max_base_time{12};
inline constexpr std::chrono::minutes max_increment{10};

/// Everything that a GameClock knows, without a point in time: it can be stored, and the clock goes
/// on later as if no time had passed.
struct GameClockState {
    TimeControl control;
    core::Color first = core::Color::white;  ///< who makes the first move
    /// What the player of each move had left after it.
    std::vector<engine::Milliseconds> left_after;
    /// What the player to move has used for the move to come.
    engine::Milliseconds used{0};
    bool is_stopped = false;  ///< for good: the game is over

    friend bool operator==(const GameClockState&, const GameClockState&) = default;
};

/// The clocks of a game. They begin to run when both players have made their first move, which is
/// free. Knows what was left after each move, so that moves can be taken back. A value; the time is
/// given to it.
class GameClock {
public:
    using Time = std::chrono::steady_clock::time_point;

    GameClock(const TimeControl& control, core::Color first);
    /// The clock of a game that goes on.
    GameClock(GameClockState state, Time now);

    GameClockState state(Time now) const;
    const TimeControl& control() const { return state_.control; }
    /// What the player of each move had left after it.
    std::span<const engine::Milliseconds> left_after() const { return state_.left_after; }

    /// The player to move has moved: gets the increment, and the other one's clock runs.
    void press(Time now);
    /// Goes back to what was left before the last moves; the clock runs from there.
    void take_back(int plies, Time now);
    /// Stops the clock because the game is over.
    void stop(Time now);

    /// Whose clock runs.
    std::optional<core::Color> running() const;
    engine::Milliseconds left(core::Color player, Time now) const;
    /// What was left when the clock that runs began to.
    engine::Milliseconds left_before_move(core::Color player) const;
    /// When the time of the running clock is over.
    std::optional<Time> flag_time() const;
    bool has_flag_fallen(Time now) const;

    /// The clocks as limits of a search for the player to move.
    std::array<engine::PlayerClock, 2> limits(Time now) const;

private:
    core::Color to_move() const;
    bool is_free_move() const { return state_.left_after.size() < 2; }
    engine::Milliseconds used(Time now) const;

    GameClockState state_;
    Time began_{};  ///< when the clock of the player to move went on from state_.used
};

}  // namespace uci::json
