#pragma once

#include <algorithm>
#include <cstdlib>

namespace engine {

/// The maximum depth and the maximum length of a line in the search, in plies.
inline constexpr int max_ply = 240;

/// A score for the side to move, in internal centipawns. A mate in n plies scores mate - n.
using Score = int;

inline constexpr Score mate = 32'000;
inline constexpr Score infinite = mate + 1;
inline constexpr Score draw = 0;
/// Scores at or beyond this are mates; evaluations stay below.
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

/// Clamps a score so that it is not a mate score.
constexpr Score clamp_eval(Score score) {
    return std::clamp(score, -decisive + 1, decisive - 1);
}

/// The least score of a won endgame that only takes technique (a lone king is mated by force):
/// above every estimate, below every mate.
inline constexpr Score known_win = 2'000;

/// Whether an evaluation is a known result rather than an estimate: a draw, or a technical win.
constexpr bool is_known_result(Score evaluation) {
    return evaluation == draw || evaluation >= known_win || evaluation <= -known_win;
}

/// The plies to mate of a decisive score.
inline int plies_to_mate(Score score) {
    return mate - std::abs(score);
}

/// Whether a score is exact or only a bound of the true one.
enum class Bound : unsigned char { none, upper, lower, exact };

}  // namespace engine
