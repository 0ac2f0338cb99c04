#pragma once

#include <algorithm>
#include <cstdlib>

namespace engine {

/// A number of plies or half-moves of search no line is ever longer than.
inline constexpr int max_ply = 240;

/// What a position is worth to the player to move, in centipawns. Mates are counted from
/// `mate` downwards: mate - 5 mates in 5 plies.
using Score = int;

inline constexpr Score mate = 32'000;
inline constexpr Score infinite = mate + 1;
inline constexpr Score draw = 0;
/// Scores at or beyond this are mates; what the evaluation says stays well below.
inline constexpr Score decisive = mate - max_ply - 10;

constexpr Score mate_in(int plies) {
    return mate - plies;
}
constexpr Score mated_in(int plies) {
    return plies - mate;
}
constexpr bool is_decisive(Score score) {
    return score >= decisive || score <= -decisive;
}

/// A score that is no mate: the nearest to the one given.
constexpr Score bounded(Score score) {
    return std::clamp(score, -decisive + 1, decisive - 1);
}

/// Plies to the mate that a decisive score promises.
inline int plies_to_mate(Score score) {
    return mate - std::abs(score);
}

/// What a search knows of a score: the score itself, or that it is at least or at most that.
enum class Bound : unsigned char { none, upper, lower, exact };

}  // namespace engine
