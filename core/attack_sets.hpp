#pragma once

#include <array>

#include "core/bitboard.hpp"
#include "core/piece.hpp"

namespace core {

/// The squares that a side attacks, by the most valuable attacker: each set includes the ones before.
struct AttackSets {
    Bitboard by_pawns;
    Bitboard by_minors;
    Bitboard by_rooks;
    Bitboard by_any;
};

/// The squares of a side's pieces, by type.
using SquaresByType = std::array<Bitboard, all_piece_types.size()>;

/// What a side attacks with these pieces, pinned ones included. Sliders stop at occupied squares.
[[nodiscard]] AttackSets attack_sets(Color color, const SquaresByType& pieces, Bitboard occupied);

}  // namespace core
