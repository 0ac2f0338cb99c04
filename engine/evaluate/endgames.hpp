#pragma once

#include "core/position.hpp"

#include "engine/score.hpp"

namespace engine::evaluate {

/// Corrects the network's score (for the side to move) in endgames where the material decides.
/// Theoretical draws score 0; against a lone king the score is at least known_win and grows as
/// the king is driven to a corner where it can be mated; opposite-coloured bishops and other
/// advantages that are hard to win are scaled down. Symmetric in the colours.
Score apply_endgame_rules(const core::Position& position, Score network_score);

}  // namespace engine::evaluate
