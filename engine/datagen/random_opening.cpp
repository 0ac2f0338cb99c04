#include "engine/datagen/random_opening.hpp"

#include <utility>

#include "core/chess960.hpp"
#include "core/movegen.hpp"
#include "core/multiply.hpp"
#include "core/split_mix.hpp"

#include "engine/search/see.hpp"

namespace engine::datagen {

namespace {

constexpr int min_opening_plies = 8;
/// A random move that loses more than this by SEE is drawn again, up to this often.
constexpr Score max_loss = 300;
constexpr int max_draws = 8;

core::Position random_start(Rng& rng, int chess960_percent) {
    if (!rng.percent(chess960_percent))
        return core::Position::start();
    const auto white = static_cast<int>(rng.uniform(core::chess960_count));
    const auto black = static_cast<int>(rng.uniform(core::chess960_count));
    return core::chess960_start(white, black);
}

core::Move random_move(Rng& rng, const core::Position& position, const core::MoveList& moves) {
    core::Move move = moves[rng.uniform(moves.size())];
    for (int drawn = 1; drawn < max_draws && !search::see_ge(position, move, -max_loss); ++drawn)
        move = moves[rng.uniform(moves.size())];
    return move;
}

}  // namespace

std::uint64_t Rng::next() {
    return core::split_mix(std::exchange(state_, state_ + core::golden_gamma));
}

std::size_t Rng::uniform(std::size_t count) {
    return static_cast<std::size_t>(core::mul_hi64(next(), count));
}

std::optional<core::Position> random_opening(Rng& rng, int chess960_percent) {
    const core::Position start = random_start(rng, chess960_percent);
    const int plies = min_opening_plies + static_cast<int>(rng.uniform(2));
    return random_moves(rng, start, plies);
}

std::optional<core::Position> random_moves(Rng& rng, core::Position position, int plies) {
    for (int ply = 0; ply < plies; ++ply) {
        const auto moves = core::legal_moves(position);
        if (moves.empty())
            return std::nullopt;
        position = position.after(random_move(rng, position, moves));
    }
    if (core::count_legal_moves(position) == 0)
        return std::nullopt;
    return position;
}

}  // namespace engine::datagen
