#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/effect.hpp"
#include "core/move.hpp"
#include "core/result.hpp"
#include "core/setup.hpp"
#include "core/zobrist.hpp"

namespace core {

/// A chess position by the rules: a value, legal by construction, cheap to copy.
class Position {
public:
    /// The start of a game of standard chess.
    static const Position& start();

    /// The position that a setup describes, or the reason why chess knows no such position.
    static Result<Position> from(const Setup& setup);

    /// The position after a move, which must be legal.
    Position after(Move move) const;
    /// The position when the player to move passes; the player must not be in check.
    Position after_pass() const;
    /// The same two for this very position, which then is copied only where it must be.
    void play(Move move);
    void pass();

    Color side_to_move() const { return side_to_move_; }
    Bitboard pieces() const { return colors_[0] | colors_[1]; }
    Bitboard pieces(Color color) const { return colors_[index_of(color)]; }
    Bitboard pieces(PieceType type) const { return types_[index_of(type)]; }
    Bitboard pieces(Color color, PieceType type) const { return pieces(color) & pieces(type); }
    Bitboard pieces(PieceType a, PieceType b) const { return pieces(a) | pieces(b); }
    Bitboard pieces(Color color, PieceType a, PieceType b) const {
        return pieces(color) & pieces(a, b);
    }
    std::optional<Piece> piece_on(Square square) const {
        const auto code = board_[index_of(square)];
        if (code == no_piece)
            return std::nullopt;
        return Piece::from_index(code);
    }
    /// The piece on a square that is known to be occupied.
    Piece known_piece_on(Square square) const {
        return Piece::from_index(board_[index_of(square)]);
    }
    Square king(Color color) const { return pieces(color, PieceType::king).first(); }

    /// The opponent's pieces that attack the king of the player to move.
    Bitboard checkers() const { return checkers_; }
    bool in_check() const { return !checkers_.empty(); }
    /// From the king of the player to move to each pinning piece, that piece included: along
    /// ranks and files, and along diagonals.
    Bitboard straight_pins() const { return straight_pins_; }
    Bitboard diagonal_pins() const { return diagonal_pins_; }

    /// The rooks that may still castle; and the one of a player and a side.
    Bitboard castling_rooks() const { return castling_rooks_; }
    std::optional<Square> castling_rook(Color color, Side side) const {
        const Bitboard east_of_king{~0ULL << king(color).index()};
        const Bitboard rooks = castling_rooks_ & pieces(color)
                             & (side == Side::king_side ? east_of_king : ~east_of_king);
        if (rooks.empty())
            return std::nullopt;
        return rooks.first();
    }

    /// Whether a player may castle in a way that standard chess does not know: the king does not
    /// stand on the e-file, or the rook not in a corner.
    bool castles_unusually() const;

    /// Where a pawn can be captured en passant, legally, in this very move.
    std::optional<Square> en_passant() const { return en_passant_; }
    int halfmove_clock() const { return halfmove_clock_; }
    int fullmove_number() const { return fullmove_number_; }

    /// Polyglot's key of the position. The en passant file counts only where a legal capture is.
    Key key() const { return key_; }
    /// The key after a move, but for what castling, promotions and lost rights change besides: a
    /// guess at where a table will be asked next.
    Key probable_key_after(Move move) const {
        const Piece mover = known_piece_on(move.from());
        Key key = key_ ^ zobrist::white_to_move() ^ zobrist::piece(mover, move.from())
                ^ zobrist::piece(mover, move.to());
        if (const auto victim = piece_on(move.to()))
            key ^= zobrist::piece(*victim, move.to());
        return en_passant_ ? key ^ zobrist::en_passant(*en_passant_) : key;
    }
    /// A key of the pawns alone.
    Key pawn_key() const { return pawn_key_; }

    /// All pieces of both players that attack a square when these squares are occupied.
    Bitboard attackers(Square square, Bitboard occupied) const;
    /// Whether a player attacks a square when these squares are occupied.
    bool is_attacked(Square square, Color by, Bitboard occupied) const;
    /// The same for bishops, rooks and queens alone.
    bool is_attacked_by_slider(Square square, Color by, Bitboard occupied) const {
        const Bitboard diagonal = pieces(by, PieceType::bishop, PieceType::queen);
        if ((bishop_rays(square) & diagonal) && (bishop_attacks(square, occupied) & diagonal))
            return true;
        const Bitboard straight = pieces(by, PieceType::rook, PieceType::queen);
        return (rook_rays(square) & straight) && (rook_attacks(square, occupied) & straight);
    }

    /// What a legal move takes off the board and puts on it.
    MoveEffect effect_of(Move move) const;
    bool is_capture(Move move) const {
        return move.kind() == Move::Kind::en_passant
            || (move.kind() != Move::Kind::castling && pieces().contains(move.to()));
    }
    /// Whether a move gains material: a capture or a promotion.
    bool is_noisy(Move move) const { return move.is_promotion() || is_capture(move); }

    /// Whether the king of the player to move is safe after a pawn's capture en passant.
    bool is_legal_en_passant(Square from, Square to) const;

    /// Whether neither player could win whatever is played: K v K, KN v K, KB v K, or bishops
    /// that all stand on squares of one colour.
    bool has_insufficient_material() const;

    /// The keys computed anew from the board, to check those that are kept up to date.
    Key fresh_key() const;
    Key fresh_pawn_key() const;

    friend bool operator==(const Position&, const Position&) = default;

private:
    static constexpr std::uint8_t no_piece = 0xFF;

    Position() = default;

    void put(PieceOnSquare arrival);
    void remove(PieceOnSquare departure);
    void relocate(Piece piece, Square from, Square to);
    void move_pieces(Move move, bool capture);
    void lose_castling_rights(Bitboard touched);
    void allow_en_passant(Square jumped_over);
    void change_side();
    void look_at_king();
    Key castling_key(Square rook) const;

    std::array<Bitboard, 6> types_{};
    std::array<Bitboard, 2> colors_{};
    Bitboard checkers_;
    Bitboard straight_pins_;
    Bitboard diagonal_pins_;
    Bitboard castling_rooks_;
    Key key_ = 0;
    Key pawn_key_ = 0;
    std::array<std::uint8_t, 64> board_{};
    std::uint16_t halfmove_clock_ = 0;
    std::uint16_t fullmove_number_ = 1;
    std::optional<Square> en_passant_;
    Color side_to_move_ = Color::white;
};

static_assert(sizeof(Position) <= 192);

/// Where the king and the rook of a player stand after castling.
constexpr Square castled_king(Color color, Side side) {
    return Square::at(side == Side::king_side ? 6 : 2, color == Color::white ? 0 : 7);
}
constexpr Square castled_rook(Color color, Side side) {
    return Square::at(side == Side::king_side ? 5 : 3, color == Color::white ? 0 : 7);
}
/// Which side a castling move, from the king's square to the rook's, goes to.
constexpr Side side_of_castling(Move move) {
    return move.to().file() > move.from().file() ? Side::king_side : Side::queen_side;
}

}  // namespace core
