#include "uci/json/game_clock.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace uci::json {

using engine::Milliseconds;

GameClock::GameClock(const TimeControl& control, core::Color first)
    : state_{control, first, {}, {}} {}

GameClock::GameClock(GameClockState state, Time now) : state_{std::move(state)}, began_{now} {}

GameClockState GameClock::state(Time now) const {
    GameClockState state = state_;
    state.used = used(now);
    return state;
}

void GameClock::press(Time now) {
    const core::Color player = to_move();
    auto after = left(player, now);
    if (!is_free_move())
        after += state_.control[index_of(player)].increment;
    state_.left_after.push_back(after);
    state_.used = Milliseconds{0};
    began_ = now;
}

void GameClock::take_back(int plies, Time now) {
    assert(plies >= 0 && static_cast<std::size_t>(plies) <= state_.left_after.size());
    state_.left_after.resize(state_.left_after.size() - static_cast<std::size_t>(plies));
    state_.used = Milliseconds{0};
    state_.is_stopped = false;
    began_ = now;
}

void GameClock::stop(Time now) {
    state_.used = used(now);
    state_.is_stopped = true;
}

std::optional<core::Color> GameClock::running() const {
    if (state_.is_stopped || is_free_move())
        return std::nullopt;
    return to_move();
}

Milliseconds GameClock::left(core::Color player, Time now) const {
    const auto before = left_before_move(player);
    return player == to_move() ? std::max(before - used(now), Milliseconds{0}) : before;
}

Milliseconds GameClock::left_before_move(core::Color player) const {
    const auto& left = state_.left_after;
    const std::size_t moves_ago = player == to_move() ? 2 : 1;
    return left.size() < moves_ago ? state_.control[index_of(player)].base
                                   : left[left.size() - moves_ago];
}

std::optional<GameClock::Time> GameClock::flag_time() const {
    const auto player = running();
    if (!player)
        return std::nullopt;
    return began_ + (left_before_move(*player) - state_.used);
}

bool GameClock::has_flag_fallen(Time now) const {
    const auto time = flag_time();
    return time && now >= *time;
}

std::array<engine::PlayerClock, 2> GameClock::limits(Time now) const {
    std::array<engine::PlayerClock, 2> clocks;
    for (const core::Color player : {core::Color::white, core::Color::black})
        clocks[index_of(player)] = {left(player, now), state_.control[index_of(player)].increment};
    return clocks;
}

core::Color GameClock::to_move() const {
    return state_.left_after.size() % 2 == 0 ? state_.first : ~state_.first;
}

/// What the player to move has used, rounded down.
Milliseconds GameClock::used(Time now) const {
    if (!running())
        return state_.used;
    return state_.used + std::chrono::duration_cast<Milliseconds>(now - began_);
}

}  // namespace uci::json
