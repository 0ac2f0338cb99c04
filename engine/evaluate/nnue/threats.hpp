#pragma once

#include <array>

#include "core/attack_sets.hpp"
#include "core/position.hpp"

#include "engine/evaluate/nnue/architecture.hpp"

// The threats that the network knows. They are found anew for each evaluation: a position has less
// than one on average, so no accumulator keeps them.
namespace engine::nnue {

/// The squares of pieces by colour and type.
using PieceSquares = std::array<core::SquaresByType, 2>;

/// The squares of the threatened pieces of both sides, by kind of threat. A piece attacks what it
/// could capture if it were its side's turn, whether it is pinned or not.
///
///   0  undefended: attacked by the other side and not by its own. No kings.
///   1  attacked by a less valuable piece: a knight or bishop by a pawn; a rook by a pawn or minor
///      piece; a queen by any of these or a rook.
using ThreatenedSquares = std::array<core::Bitboard, threat_kind_count>;

/// Pawns of the first colour, White, move up the board.
ThreatenedSquares threatened_squares(const PieceSquares& pieces);
ThreatenedSquares threatened_squares(const core::Position& position);

}  // namespace engine::nnue
