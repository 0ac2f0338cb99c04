#pragma once

#include <array>
#include <optional>

#include "core/bitboard.hpp"
#include "core/piece.hpp"
#include "core/result.hpp"

namespace core {

/// The largest number that either move counter of a position may start from.
inline constexpr int largest_counter = 30'000;

/// Everything that a FEN says, not yet checked against the rules.
struct Setup {
    std::array<std::optional<Piece>, 64> board{};
    Color side_to_move = Color::white;
    Bitboard castling_rooks;           ///< the rooks that may still castle
    std::optional<Square> en_passant;  ///< the square that a pawn has just jumped over
    int halfmove_clock = 0;            ///< plies since the last capture or pawn move
    int fullmove_number = 1;

    std::optional<Piece> at(Square square) const {
        return board[static_cast<std::size_t>(square.index())];
    }
    Bitboard pieces(Piece piece) const;
    int count(Color color, PieceType type) const { return pieces(Piece{color, type}).count(); }
};

/// What makes a setup impossible in chess, as far as single pieces and fields show it; nothing
/// when it is fine. The sentence names the field of a FEN that is at fault.
std::optional<Error> fault_of(const Setup& setup);

}  // namespace core
