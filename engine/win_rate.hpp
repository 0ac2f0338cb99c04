#pragma once

#include "core/position.hpp"

#include "engine/score.hpp"

// What scores mean: how games went in which they were given. The model is that of Stockfish's
// wiki (win = sigmoid((score - a) / b), a and b by material), fitted to Parley's own games by
// tools/train/fit_win_rate.py.
namespace engine {

/// Chances of the player to move, in thousandths; they add up to 1000.
struct Chances {
    int win = 0;
    int draw = 0;
    int loss = 0;
    friend bool operator==(const Chances&, const Chances&) = default;
};

/// The material on the board: pawns 1, knights and bishops 3, rooks 5, queens 9, of both players.
int material_of(const core::Position& position);

/// What a score of a position promises.
Chances chances_of(Score score, const core::Position& position);

/// A score as users are told it: with 100 centipawns in a usual middlegame (material 58) every
/// second game is won. Mates stay.
Score told(Score score);

}  // namespace engine
