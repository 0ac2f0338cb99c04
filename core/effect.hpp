#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/move.hpp"
#include "core/piece.hpp"

namespace core {

struct PieceOnSquare {
    Piece piece;
    Square square;
    friend constexpr bool operator==(const PieceOnSquare&, const PieceOnSquare&) = default;
};

/// What a move does to the board: at most two pieces leave it and at most two arrive on it.
/// The mover leaves first; a captured piece, or the castling rook, is the second.
struct MoveEffect {
    std::array<PieceOnSquare, 2> left;
    std::array<PieceOnSquare, 2> arrived;
    std::size_t left_count;
    std::size_t arrived_count;

    std::span<const PieceOnSquare> leaves() const { return {left.data(), left_count}; }
    std::span<const PieceOnSquare> arrives() const { return {arrived.data(), arrived_count}; }
};

}  // namespace core
