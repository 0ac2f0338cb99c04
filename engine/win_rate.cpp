#include "engine/win_rate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine {

namespace {

using Polynomial = std::array<double, 4>;  ///< coefficients, the constant first

// As tools/train/fit_win_rate.py prints them; tools/train/HISTORY.md tells for which games.
constexpr Polynomial score_of_even_chance{446.45, -1034.93, 1030.44, -356.13};
constexpr Polynomial width_of_slope{65.00, 12.83, 95.40, -65.00};
constexpr int middle = 58;
constexpr int least_material = 10;
constexpr int most_material = 78;

constexpr double value(const Polynomial& polynomial, int material) {
    const double x = std::clamp(material, least_material, most_material) / double{middle};
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

Chances chances_of(Score score, const core::Position& position) {
    if (is_decisive(score))
        return score > 0 ? Chances{1000, 0, 0} : Chances{0, 0, 1000};
    if (position.has_insufficient_material())
        return {0, 1000, 0};
    const int material = material_of(position);
    const auto win_rate = [&](double x) {
        const double exponent =
            (value(score_of_even_chance, material) - x) / value(width_of_slope, material);
        return static_cast<int>(std::lround(1000 / (1 + std::exp(exponent))));
    };
    const int win = win_rate(score);
    const int loss = win_rate(-score);
    return {win, 1000 - win - loss, loss};
}

Score told(Score score) {
    if (is_decisive(score))
        return score;
    constexpr double pawn = value(score_of_even_chance, middle);
    return bounded(static_cast<Score>(std::lround(100 * score / pawn)));
}

}  // namespace engine
