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

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): pairs_ up to count_
PawnPairs::PawnPairs(const Pawns& pawns, const Pawns& changed, Perspective perspective) {
    Pawns others = pawns;
    for (const auto color : core::both_colors) {
        for (const auto square : changed[core::index_of(color)]) {
            others[core::index_of(color)] &= ~Bitboard{square};
            const Bitboard near = files_around(square);
            add(number_of(perspective, color, square), {others[0] & near, others[1] & near},
                perspective);
        }
    }
}

/// Adds the pairs of a pawn with others, on its own file or neighbouring ones.
void PawnPairs::add(std::size_t pawn, const Pawns& others, Perspective perspective) {
    for (const auto color : core::both_colors) {
        for (const auto square : others[core::index_of(color)]) {
            const std::size_t other = number_of(perspective, color, square);
            const auto [lower, higher] = std::minmax(pawn, other);
            assert(count_ < max_size && is_pair(higher, lower));
            pairs_[count_++] = pair_numbers[higher][lower];
        }
    }
}

}  // namespace engine::nnue
