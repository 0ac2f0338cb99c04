#include "engine/strength_level.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/split_mix.hpp"

namespace engine {

namespace {

/// Found by tools/match/calibrate in games between the levels and against Stockfish 15.1 with the
/// same UCI_Elo; tools/match/levels.md has the results. Levels in between are interpolated.
constexpr std::array levels{
    StrengthLevel{600, 20, 1, 480},      //
    StrengthLevel{800, 40, 1, 190},      //
    StrengthLevel{1'000, 60, 1, 100},    //
    StrengthLevel{1'200, 130, 2, 95},    //
    StrengthLevel{1'400, 280, 3, 77},    //
    StrengthLevel{1'600, 570, 4, 65},    //
    StrengthLevel{1'800, 1'200, 5, 49},  //
    StrengthLevel{2'000, 1'350, 6, 49},  //
    StrengthLevel{2'200, 2'300, 7, 41},  //
    StrengthLevel{2'400, 3'400, 8, 33},  //
    StrengthLevel{2'600, 5'200, 9, 25},  //
    StrengthLevel{2'800, 9'500, 10, 15},
};
static_assert(levels.front().elo == min_elo && levels.back().elo == max_elo);

/// Elo between two lines of the table.
constexpr int step = 200;

/// Enough to mate a lone king with a rook or a queen.
constexpr StrengthLevel technique{0, 20'000, 20, 0};

/// A search is stopped within an iteration after max_overrun times the level's nodes, but not
/// before the first iteration has ended, which takes fewer than nodes_of_first_iteration.
constexpr std::uint64_t max_overrun = 4;
constexpr std::uint64_t nodes_of_first_iteration = 5'000;

/// A value between two, `share` of the way.
double between(double from, double to, double share) {
    return from + (to - from) * share;
}

}  // namespace

StrengthLevel strength_level(int elo) {
    assert(min_elo <= elo && elo <= max_elo);
    const auto index = static_cast<std::size_t>((elo - min_elo) / step);
    if (index + 1 == levels.size())
        return levels.back();
    const StrengthLevel& below = levels[index];
    const StrengthLevel& above = levels[index + 1];
    const double share = static_cast<double>(elo - below.elo) / step;
    const auto nodes = std::exp(between(std::log(below.nodes), std::log(above.nodes), share));
    return {elo, static_cast<std::uint64_t>(std::lround(nodes)),
            static_cast<int>(std::lround(between(below.depth, above.depth, share))),
            static_cast<Score>(std::lround(between(below.noise, above.noise, share)))};
}

int elo_of_skill(int skill) {
    assert(0 <= skill && skill < max_skill);
    return min_elo + (max_elo - min_elo) * skill / max_skill;
}

StrengthLevel with_technique(StrengthLevel level, const core::Position& position) {
    const bool has_lone_king =
        std::any_of(core::both_colors.begin(), core::both_colors.end(),
                    [&](core::Color color) { return !position.pieces(color).more_than_one(); });
    if (!has_lone_king)
        return level;
    level.nodes = std::max(level.nodes, technique.nodes);
    level.depth = std::max(level.depth, technique.depth);
    level.noise = technique.noise;
    return level;
}

Limits limited(Limits limits, const StrengthLevel& level) {
    const auto hard = std::max(nodes_of_first_iteration, max_overrun * level.nodes);
    limits.nodes = std::min(limits.nodes.value_or(hard), hard);
    limits.soft_nodes = std::min(limits.soft_nodes.value_or(level.nodes), level.nodes);
    limits.depth = std::min(limits.depth.value_or(level.depth), level.depth);
    return limits;
}

Score LeafNoise::disturbed(Score evaluation, const core::Position& position) const {
    if (is_known_result(evaluation))
        return evaluation;
    // The quantile function of the logistic distribution, of a number between 0 and 1.
    const auto bits = static_cast<double>(core::split_mix(position.key() ^ seed_) >> 12);
    const double uniform = (bits + 0.5) / static_cast<double>(std::uint64_t{1} << 52);
    const double logistic = std::log(uniform / (1 - uniform));
    constexpr double half_error_score = 600;
    const double by_score = half_error_score / (half_error_score + std::abs(evaluation));
    const double by_men = (position.pieces().count() + 8) / 40.0;
    const auto error = std::lround(scale_ * logistic * by_score * by_men);
    return std::clamp(evaluation + static_cast<Score>(error), -known_win + 1, known_win - 1);
}

core::Key salt_of_level(core::Key game_salt, const StrengthLevel& level, std::uint64_t seed) {
    const auto player =
        static_cast<std::uint64_t>(level.elo) << 32 | static_cast<std::uint64_t>(level.noise);
    return core::split_mix(core::split_mix(game_salt ^ seed) ^ player);
}

}  // namespace engine
