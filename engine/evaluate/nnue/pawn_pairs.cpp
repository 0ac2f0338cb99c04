#include "engine/evaluate/nnue/pawn_pairs.hpp"

#include <algorithm>
#include <cassert>

#include "engine/evaluate/nnue/architecture.hpp"

namespace engine::nnue {

namespace {

using core::Bitboard;
using core::Color;
using core::Square;

/// Pawns have numbers by side and square: two sides, 48 squares.
constexpr std::size_t pawn_numbers = 96;

using PairNumbers = std::array<std::array<std::uint16_t, pawn_numbers>, pawn_numbers>;

constexpr bool is_pair(std::size_t higher, std::size_t lower) {
    const std::size_t file = higher % 8;
    const std::size_t other_file = lower % 8;
    return higher % 48 != lower % 48 && file <= other_file + 1 && other_file <= file + 1;
}

/// The number of a pair by its pawns, the one with the higher number first; of others 0.
constexpr PairNumbers pair_numbers = [] {
    PairNumbers numbers{};
    std::uint16_t next = 0;
    for (std::size_t higher = 0; higher < pawn_numbers; ++higher)
        for (std::size_t lower = 0; lower < higher; ++lower)
            if (is_pair(higher, lower))
                numbers[higher][lower] = next++;
    return numbers;
}();
static_assert(pair_numbers[95][94] == pawn_pair_count - 1);

/// The files of a square and of its neighbours.
Bitboard files_around(Square square) {
    const Bitboard file = Bitboard::file(square.file());
    return file | core::shift<core::Direction::east>(file)
         | core::shift<core::Direction::west>(file);
}

std::size_t number_of(Perspective perspective, Color color, Square square) {
    return (color == perspective.color ? 0U : 48U) + seen_square(perspective, square) - 8;
}

}  // namespace

PawnPairs::PawnPairs(const Pawns& pawns, const Pawns& changed, Perspective perspective) {
    Pawns others = pawns;
    for (const auto color : core::both_colors) {
        for (const auto square : changed[core::index_of(color)]) {
            const std::size_t number = number_of(perspective, color, square);
            others[core::index_of(color)] &= ~Bitboard{square};
            const Bitboard near = files_around(square);
            for (const auto other_color : core::both_colors) {
                const Bitboard near_others = others[core::index_of(other_color)] & near;
                for (const auto other_square : near_others) {
                    const std::size_t other = number_of(perspective, other_color, other_square);
                    assert(count_ < max_size
                           && is_pair(std::max(number, other), std::min(number, other)));
                    pairs_[count_++] =
                        pair_numbers[std::max(number, other)][std::min(number, other)];
                }
            }
        }
    }
}

}  // namespace engine::nnue
