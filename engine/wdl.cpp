#include "engine/wdl.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace engine {

namespace {

using Polynomial = std::array<double, 4>;  ///< coefficients, the constant first

// The model's a, at which the chance to win is 50 %, and b, in internal centipawns, by material /
// middlegame_material. Printed by tools/train/fit_win_rate.py; HISTORY.md there names the games.
constexpr Polynomial a_polynomial{258.30, -429.45, 378.62, -114.14};
constexpr Polynomial b_polynomial{32.37, 74.09, -43.96, 26.43};
constexpr int middlegame_material = 58;
constexpr int min_material = 10;
constexpr int max_material = 78;

constexpr double value(const Polynomial& polynomial, int material) {
    const double x = std::clamp(material, min_material, max_material) / double{middlegame_material};
    return ((polynomial[3] * x + polynomial[2]) * x + polynomial[1]) * x + polynomial[0];
}

}  // namespace

int material_of(const core::Position& position) {
    using core::PieceType;
    return position.pieces(PieceType::pawn).count()
         + 3 * position.pieces(PieceType::knight, PieceType::bishop).count()
         + 5 * position.pieces(PieceType::rook).count()
         + 9 * position.pieces(PieceType::queen).count();
}

Wdl wdl(Score score, const core::Position& position) {
    if (is_decisive(score))
        return score > 0 ? Wdl{1000, 0, 0} : Wdl{0, 0, 1000};
    if (position.has_insufficient_material())
        return {0, 1000, 0};
    const int material = material_of(position);
    const auto win_rate = [&](double x) {
        const double exponent = (value(a_polynomial, material) - x) / value(b_polynomial, material);
        return static_cast<int>(std::lround(1000 / (1 + std::exp(exponent))));
    };
    const int win = win_rate(score);
    const int loss = win_rate(-score);
    assert(win >= 0 && loss >= 0 && win + loss <= 1000);
    return {win, 1000 - win - loss, loss};
}

Score normalised(Score score) {
    assert(score >= -infinite && score <= infinite);
    if (is_decisive(score))
        return score;
    constexpr double pawn = value(a_polynomial, middlegame_material);
    return clamp_eval(static_cast<Score>(std::lround(100 * score / pawn)));
}

}  // namespace engine
