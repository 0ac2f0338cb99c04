#include "engine/datagen/opening.hpp"

#include "core/chess960.hpp"
#include "core/movegen.hpp"
#include "core/multiply.hpp"

#include "engine/search/see.hpp"

namespace engine {

namespace {

constexpr int shortest_opening = 8;
/// A move that gives away more than this is drawn again, some times.
constexpr Score largest_gift = 300;
constexpr int draws_of_a_move = 8;

core::Position random_start(Chance& chance, int chess960_percent) {
    if (!chance.percent(chess960_percent))
        return core::Position::start();
    const auto white = static_cast<int>(chance.below(core::chess960_count));
    const auto black = static_cast<int>(chance.below(core::chess960_count));
    return core::chess960_start(white, black);
}

core::Move random_move(Chance& chance,
                       const core::Position& position,
                       const core::MoveList& moves) {
    core::Move move = moves[chance.below(moves.size())];
    for (int drawn = 1; drawn < draws_of_a_move && !exchange_wins(position, move, -largest_gift);
         ++drawn)
        move = moves[chance.below(moves.size())];
    return move;
}

}  // namespace

std::uint64_t Chance::next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

std::size_t Chance::below(std::size_t count) {
    return static_cast<std::size_t>(core::high_product(next(), count));
}

std::optional<core::Position> random_opening(Chance& chance, int chess960_percent) {
    core::Position position = random_start(chance, chess960_percent);
    const int plies = shortest_opening + static_cast<int>(chance.below(2));
    for (int ply = 0; ply < plies; ++ply) {
        const auto moves = core::legal_moves(position);
        if (moves.empty())
            return std::nullopt;
        position = position.after(random_move(chance, position, moves));
    }
    if (core::count_legal_moves(position) == 0)
        return std::nullopt;
    return position;
}

}  // namespace engine
