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
/// Scores at or beyond this are mates.
inline constexpr Score min_mate = mate - max_ply - 10;
/// A win by the endgame tables, reached in n plies, scores tablebase_win - n.
inline constexpr Score tablebase_win = min_mate - 1;
/// Scores at or beyond this are proven wins, mates or by the tables; evaluations stay below.
inline constexpr Score decisive = tablebase_win - max_ply;

constexpr Score mate_in(int plies) {
    return mate - plies;
}
constexpr Score mated_in(int plies) {
    return plies - mate;
}
constexpr bool is_decisive(Score score) {
    return score >= decisive || score <= -decisive;
}

constexpr bool is_mate(Score score) {
    return score >= min_mate || score <= -min_mate;
}
/// Whether a score is a win or a loss that only the endgame tables know.
constexpr bool is_tablebase_result(Score score) {
    return is_decisive(score) && !is_mate(score);
}

/// Clamps a score so that it is not decisive.
constexpr Score clamp_eval(Score score) {
    return std::clamp(score, -decisive + 1, decisive - 1);
}

/// The smallest score of a won endgame that only takes technique (a lone king is mated by force):
/// above every estimate, below every mate.
inline constexpr Score known_win = 2'000;

/// Whether an evaluation is a known result rather than an estimate: a draw, or a technical win.
constexpr bool is_known_result(Score evaluation) {
    return evaluation == draw || evaluation >= known_win || evaluation <= -known_win;
}

/// The plies to mate of a mate score.
inline int plies_to_mate(Score score) {
    return mate - std::abs(score);
}

/// The centipawns that clients get for a score that is not a mate: 20000 less the plies for a win
/// by the tables, as other engines write it, and always less for an estimate.
constexpr Score centipawns(Score score) {
    constexpr Score shown_win = 20'000;
    if (is_decisive(score))
        return score > 0 ? shown_win - (tablebase_win - score)
                         : -shown_win + (tablebase_win + score);
    constexpr Score max_shown = shown_win - max_ply - 1;
    return std::clamp(score, -max_shown, max_shown);
}

/// Whether a score is exact or only a bound of the true one.
enum class Bound : unsigned char { none, upper, lower, exact };

}  // namespace engine
