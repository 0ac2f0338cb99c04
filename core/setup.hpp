#pragma once

#include <array>
#include <optional>

#include "core/bitboard.hpp"
#include "core/piece.hpp"
#include "core/result.hpp"

namespace core {

/// The largest halfmove clock and fullmove number; both counters stop there.
inline constexpr int max_counter = 30'000;

/// The fields of a FEN, not yet checked against the rules.
struct Setup {
    std::array<std::optional<Piece>, 64> board{};
    Color side_to_move = Color::white;
    Bitboard castling_rooks;           ///< the rooks that may still castle
    std::optional<Square> en_passant;  ///< the square passed over by the last double push
    int halfmove_clock = 0;            ///< plies since the last capture or pawn move
    int fullmove_number = 1;

    [[nodiscard]] std::optional<Piece> at(Square square) const {
        return board[static_cast<std::size_t>(square.index())];
    }
    [[nodiscard]] Bitboard pieces(Piece piece) const;
    [[nodiscard]] int count(Color color, PieceType type) const {
        return pieces(Piece{color, type}).count();
    }
};

/// Checks each field by itself: kings, pawns, material, castling rights, en passant, counters.
/// Error: the FEN field at fault and why; nothing if all are possible. Position::from() checks the
/// rest: which kings are attacked, and by what.
[[nodiscard]] std::optional<Error> validate(const Setup& setup);

}  // namespace core
