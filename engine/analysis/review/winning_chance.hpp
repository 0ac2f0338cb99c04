#pragma once

#include "engine/score.hpp"

// How people judge moves: by what they lose of the chance to win. Formulas: lichess,
// https://lichess.org/page/accuracy, fitted to games of people.
namespace engine::review {

/// The chance that belongs to a normalised score: from -1, lost, to 1, won. Mates and wins by the
/// endgame tables are certain.
double winning_chance(Score score);

/// How good a move is that leaves its player a chance of `after` instead of `before`: 0 to 100 %.
double move_accuracy(double before, double after);

enum class Judgement : unsigned char { fine, inaccuracy, mistake, blunder };

/// The judgement on a move that loses so much of the chance: lichess's limits of 0.1, 0.2 and 0.3.
Judgement judgement(double lost_chance);

/// "inaccuracy", "mistake" or "blunder"; "fine" for all others.
const char* name(Judgement judgement);

}  // namespace engine::review
