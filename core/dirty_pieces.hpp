#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/move.hpp"
#include "core/piece.hpp"

namespace core {

/// A piece and the square where it stands.
struct PieceOnSquare {
    Piece piece;
    Square square;
    friend constexpr bool operator==(const PieceOnSquare&, const PieceOnSquare&) = default;
};

/// What a move changes on the board: at most two pieces are removed and at most two are added.
/// The moving piece comes first; the second is the captured piece or the castling rook.
struct DirtyPieces {
    std::array<PieceOnSquare, 2> removed;
    std::array<PieceOnSquare, 2> added;
    std::size_t removed_count;
    std::size_t added_count;

    [[nodiscard]] std::span<const PieceOnSquare> removed_pieces() const noexcept {
        return {removed.data(), removed_count};
    }
    [[nodiscard]] std::span<const PieceOnSquare> added_pieces() const noexcept {
        return {added.data(), added_count};
    }
};

}  // namespace core
