#pragma once

#include "core/position.hpp"

#include "engine/score.hpp"

namespace engine {

/// More than any advantage that has still to be turned into a win, less than a mate: what a mate
/// that only takes technique is worth at the least.
inline constexpr Score certain_win = 2'000;

/// Whether an evaluation is no estimate: a draw, or a win that only takes technique.
constexpr bool is_certain(Score evaluation) {
    return evaluation == draw || evaluation >= certain_win || evaluation <= -certain_win;
}

/// What a position is worth to the player to move: what the network says, set right where what is
/// left on the board decides more than how it stands. Draws that no skill can win are draws, a lone
/// king is driven to where it can be mated, and advantages that are hard to win count for less.
/// Mirror images with the colours exchanged get the same score.
Score with_endings(const core::Position& position, Score by_network);

}  // namespace engine
