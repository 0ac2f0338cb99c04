#pragma once

#include <array>

#include "core/bitboard.hpp"
#include "core/piece.hpp"

namespace core {

/// The squares of a side's pieces, by type.
using SquaresByType = std::array<Bitboard, all_piece_types.size()>;

/// The squares that a side attacks.
struct AttackSets {
    SquaresByType by;  ///< each type of piece
    Bitboard by_any;   ///< any piece
    Bitboard by_many;  ///< two pieces or more

    [[nodiscard]] Bitboard by_pawns() const { return by[index_of(PieceType::pawn)]; }
    [[nodiscard]] Bitboard by_king() const { return by[index_of(PieceType::king)]; }
    /// Pawns and minor pieces.
    [[nodiscard]] Bitboard by_minors() const {
        return by_pawns() | by[index_of(PieceType::knight)] | by[index_of(PieceType::bishop)];
    }
    /// Pawns, minor pieces and rooks.
    [[nodiscard]] Bitboard by_rooks() const { return by_minors() | by[index_of(PieceType::rook)]; }
};

/// What a side attacks with these pieces, pinned ones included. Sliders stop at occupied squares.
[[nodiscard]] AttackSets attack_sets(Color color, const SquaresByType& pieces, Bitboard occupied);

}  // namespace core
