#pragma once

#include "core/position.hpp"

#include "engine/score.hpp"

// The win rate model: win = sigmoid((score - a) / b), with a and b depending on the material (see
// Stockfish's wiki), fitted to Parley's own games by tools/train/fit_win_rate.py.
namespace engine {

/// Win, draw and loss probabilities of the side to move, in thousandths; they add up to 1000.
struct Wdl {
    int win = 0;
    int draw = 0;
    int loss = 0;
    friend bool operator==(const Wdl&, const Wdl&) = default;
};

/// The material of both sides: pawns 1, knights and bishops 3, rooks 5, queens 9.
int material_of(const core::Position& position);

/// The probabilities that belong to a score (not normalised) of a position.
Wdl wdl(Score score, const core::Position& position);

/// Normalises a score for output: 100 centipawns mean a 50 % chance to win in the middlegame
/// (material 58). Mate scores do not change.
Score normalised(Score score);

}  // namespace engine
