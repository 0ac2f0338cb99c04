#pragma once

#include "core/move_rules.hpp"
#include "core/position.hpp"

namespace core {

/// What perft needs to know of a position: 80 bytes of bitboards, without keys, clocks and the
/// piece on each square. Generating a move, copying the board and moving the piece takes about 40
/// instructions.
struct PerftBoard {
    std::array<Bitboard, 6> types;
    std::array<Bitboard, 2> colors;
    Bitboard rooks_with_rights;
    /// The square behind a pawn that could be captured en passant; the capture may be illegal.
    Bitboard en_passant_target;

    explicit PerftBoard(const Position& position);

    [[nodiscard]] Bitboard pieces() const noexcept { return colors[0] | colors[1]; }
    [[nodiscard]] Bitboard pieces(Color color) const noexcept { return colors[index_of(color)]; }
    [[nodiscard]] Bitboard pieces(PieceType type) const noexcept { return types[index_of(type)]; }
    [[nodiscard]] Bitboard pieces(Color color, PieceType type) const noexcept {
        return pieces(color) & pieces(type);
    }
    [[nodiscard]] Bitboard pieces(Color color, PieceType a, PieceType b) const noexcept {
        return pieces(color) & (pieces(a) | pieces(b));
    }
    [[nodiscard]] Square king(Color color) const noexcept {
        return pieces(color, PieceType::king).lsb();
    }
    [[nodiscard]] Bitboard castling_rooks() const noexcept { return rooks_with_rights; }
    [[nodiscard]] std::optional<Square> en_passant() const noexcept {
        if (en_passant_target.empty())
            return std::nullopt;
        return en_passant_target.lsb();
    }

    /// Moves a piece to an empty square.
    void move(Color color, PieceType type, Square from, Square to) noexcept {
        const Bitboard both = Bitboard{from} ^ Bitboard { to };
        types[index_of(type)] ^= both;
        colors[index_of(color)] ^= both;
    }
    /// Removes whatever piece of a colour stands on a square.
    void remove(Color color, Square square) noexcept {
        const Bitboard others = ~Bitboard{square};
        for (Bitboard& pieces_of_type : types)
            pieces_of_type &= others;
        colors[index_of(color)] &= others;
    }
};

static_assert(sizeof(PerftBoard) == 80);

}  // namespace core
