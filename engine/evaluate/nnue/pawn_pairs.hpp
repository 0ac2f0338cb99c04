#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/position.hpp"

#include "engine/evaluate/nnue/features.hpp"

// Pairs of pawns as inputs of the network: any two pawns, of the same side or not, on the same file
// or on neighbouring ones. From their sums the network sees chains, doubled, isolated, backward and
// passed pawns.
namespace engine::nnue {

/// The squares of White's and Black's pawns.
using Pawns = std::array<core::Bitboard, 2>;

inline Pawns pawns_of(const core::Position& position) {
    return {position.pieces(core::Color::white, core::PieceType::pawn),
            position.pieces(core::Color::black, core::PieceType::pawn)};
}

/// The pawns that are not among some others.
inline Pawns pawns_without(const Pawns& pawns, const Pawns& others) {
    return {pawns[0] & ~others[0], pawns[1] & ~others[1]};
}

/// The numbers of pawn pairs as a perspective sees them, 0 to pawn_pair_count - 1. A pawn has the
/// number 48 * (it is the opponent's) + its square as seen - 8; pairs are numbered in the order of
/// the higher number of their pawns, and then of the lower one.
class PawnPairs {  // NOLINT(cppcoreguidelines-pro-type-member-init): pairs_ up to count_
public:
    static constexpr std::size_t max_size = 16 * 15 / 2;

    /// The pairs of at most eight pawns of each side.
    PawnPairs(const Pawns& pawns, Perspective perspective) : PawnPairs{pawns, pawns, perspective} {}
    /// The pairs with at least one pawn among `changed`, which are some of `pawns`; each pair once.
    PawnPairs(const Pawns& pawns, const Pawns& changed, Perspective perspective);
    const std::uint16_t* begin() const { return pairs_.data(); }
    const std::uint16_t* end() const { return pairs_.data() + count_; }

private:
    void add(std::size_t pawn, const Pawns& others, Perspective perspective);

    std::array<std::uint16_t, max_size> pairs_;
    std::size_t count_ = 0;
};

}  // namespace engine::nnue
