#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>

#include "core/castling.hpp"
#include "core/dirty_pieces.hpp"
#include "core/move.hpp"
#include "core/result.hpp"
#include "core/setup.hpp"
#include "core/zobrist.hpp"

namespace core {

/// Zobrist keys of some of the pieces. Half a key is enough to find a place in a small table.
struct PartKeys {
    using HalfKey = std::uint32_t;

    HalfKey pawns = 0;
    HalfKey minors = 0;                     ///< knights, bishops and kings
    std::array<HalfKey, 2> non_pawns = {};  ///< White's and Black's pieces

    /// A piece comes or goes, which changes the key of the position by this.
    void change(Piece piece, Key change) noexcept {
        const auto half = static_cast<HalfKey>(change);
        const auto type = piece.type();
        if (type == PieceType::pawn) {
            pawns ^= half;
            return;
        }
        non_pawns[index_of(piece.color())] ^= half;
        if (type != PieceType::rook && type != PieceType::queen)
            minors ^= half;
    }

    friend bool operator==(const PartKeys&, const PartKeys&) = default;
};

/// A chess position with its incremental keys: a value, legal by construction, cheap to copy.
class Position {
public:
    /// The start position of standard chess.
    [[nodiscard]] static const Position& start();

    /// Makes a position. Error: the FEN field that makes it impossible, and why.
    [[nodiscard]] static Result<Position> from(const Setup& setup);

    /// The position after a move, which must be legal.
    [[nodiscard]] Position after(Move move) const;
    /// The position after a null move; the side to move must not be in check.
    [[nodiscard]] Position after_null_move() const;
    /// Plays a legal move in place.
    void play(Move move);
    /// Plays a null move in place; the side to move must not be in check.
    void play_null_move();

    [[nodiscard]] Color side_to_move() const noexcept { return side_to_move_; }
    [[nodiscard]] Bitboard pieces() const noexcept { return colors_[0] | colors_[1]; }
    [[nodiscard]] Bitboard pieces(Color color) const noexcept { return colors_[index_of(color)]; }
    [[nodiscard]] Bitboard pieces(PieceType type) const noexcept { return types_[index_of(type)]; }
    [[nodiscard]] Bitboard pieces(Color color, PieceType type) const noexcept {
        return pieces(color) & pieces(type);
    }
    [[nodiscard]] Bitboard pieces(PieceType a, PieceType b) const noexcept {
        return pieces(a) | pieces(b);
    }
    [[nodiscard]] Bitboard pieces(Color color, PieceType a, PieceType b) const noexcept {
        return pieces(color) & pieces(a, b);
    }
    [[nodiscard]] std::optional<Piece> piece_on(Square square) const noexcept {
        const auto code = board_[index_of(square)];
        if (code == no_piece)
            return std::nullopt;
        return Piece::from_index(code);
    }
    /// The piece on a square that must be occupied.
    [[nodiscard]] Piece piece_at_unchecked(Square square) const noexcept {
        return Piece::from_index(board_[index_of(square)]);
    }
    [[nodiscard]] Square king(Color color) const noexcept {
        return pieces(color, PieceType::king).lsb();
    }

    /// The opponent's pieces that give check to the side to move.
    [[nodiscard]] Bitboard checkers() const noexcept { return checkers_; }
    [[nodiscard]] bool in_check() const noexcept { return !checkers_.empty(); }
    /// Pin lines along ranks and files: from the king of the side to move to each pinning piece,
    /// that piece included.
    [[nodiscard]] Bitboard orthogonal_pins() const noexcept { return orthogonal_pins_; }
    /// Pin lines along diagonals.
    [[nodiscard]] Bitboard diagonal_pins() const noexcept { return diagonal_pins_; }

    /// The rooks that still have the right to castle.
    [[nodiscard]] Bitboard castling_rooks() const noexcept { return castling_rooks_; }
    /// The rook with the right to castle on this side, if there is one.
    [[nodiscard]] std::optional<Square> castling_rook(Color color, Side side) const noexcept {
        const Bitboard east_of_king{~0ULL << king(color).index()};
        const Bitboard rooks = castling_rooks_ & pieces(color)
                             & (side == Side::king_side ? east_of_king : ~east_of_king);
        if (rooks.empty())
            return std::nullopt;
        return rooks.lsb();
    }

    /// Whether a castling right exists only in Chess960: the king is off the e-file or the rook
    /// outside a corner.
    [[nodiscard]] bool is_chess960() const;

    /// The en passant target square, only if a legal en passant capture exists.
    [[nodiscard]] std::optional<Square> en_passant() const noexcept { return en_passant_; }
    [[nodiscard]] int halfmove_clock() const noexcept { return halfmove_clock_; }
    [[nodiscard]] int fullmove_number() const noexcept { return fullmove_number_; }
    /// Plies since the start of the game, by the move number: 0 before White's first move.
    [[nodiscard]] int game_ply() const noexcept {
        return 2 * (fullmove_number_ - 1) + (side_to_move_ == Color::white ? 0 : 1);
    }

    /// The Zobrist key, equal to Polyglot's. The en passant file is part of it only if a legal en
    /// passant capture exists.
    [[nodiscard]] Key key() const noexcept { return key_; }
    /// The key after a move, ignoring castling, promotion and lost castling rights: cheap, and good
    /// enough to prefetch a table entry.
    [[nodiscard]] Key prefetch_key(Move move) const noexcept {
        const Piece mover = piece_at_unchecked(move.from());
        Key key = key_ ^ zobrist::white_to_move() ^ zobrist::piece(mover, move.from())
                ^ zobrist::piece(mover, move.to());
        if (const auto victim = piece_on(move.to()))
            key ^= zobrist::piece(*victim, move.to());
        return en_passant_ ? key ^ zobrist::en_passant(*en_passant_) : key;
    }
    [[nodiscard]] const PartKeys& part_keys() const noexcept { return part_keys_; }

    /// The pieces of both colours that attack a square, for a given occupancy.
    [[nodiscard]] Bitboard attackers(Square square, Bitboard occupied) const;
    /// Whether a colour attacks a square, for a given occupancy.
    [[nodiscard]] bool is_attacked(Square square, Color by, Bitboard occupied) const;

    /// The pieces that a legal move removes and adds.
    [[nodiscard]] DirtyPieces dirty_pieces(Move move) const;
    [[nodiscard]] bool is_capture(Move move) const noexcept {
        return move.kind() == Move::Kind::en_passant
            || (move.kind() != Move::Kind::castling && pieces().contains(move.to()));
    }
    /// Whether a move is a capture or a promotion.
    [[nodiscard]] bool is_noisy(Move move) const noexcept {
        return move.is_promotion() || is_capture(move);
    }

    /// Whether an en passant capture leaves the own king safe.
    [[nodiscard]] bool is_legal_en_passant(Square from, Square to) const;

    /// Whether neither side can ever give mate: K v K, KN v K, KB v K, or bishops on one colour
    /// only.
    [[nodiscard]] bool has_insufficient_material() const;

    /// key() computed from scratch, to check the incremental one.
    [[nodiscard]] Key compute_key() const;
    /// part_keys() computed from scratch.
    [[nodiscard]] PartKeys compute_part_keys() const;

    friend bool operator==(const Position&, const Position&) = default;

private:
    static constexpr std::uint8_t no_piece = 0xFF;

    Position() = default;

    void put(PieceOnSquare added);
    void remove(PieceOnSquare removed);
    void move_piece(Piece piece, Square from, Square to);
    void move_pieces(Move move, bool capture);
    void clear_castling_rights(Bitboard touched);
    void allow_en_passant(Square target);
    void change_side();
    void update_checks_and_pins();
    Key castling_key(Square rook) const;

    std::array<Bitboard, 6> types_{};
    std::array<Bitboard, 2> colors_{};
    Bitboard checkers_;
    Bitboard orthogonal_pins_;
    Bitboard diagonal_pins_;
    Bitboard castling_rooks_;
    Key key_ = 0;
    PartKeys part_keys_;
    std::array<std::uint8_t, 64> board_{};
    std::uint16_t halfmove_clock_ = 0;
    std::uint16_t fullmove_number_ = 1;
    std::optional<Square> en_passant_;
    Color side_to_move_ = Color::white;
};

static_assert(sizeof(Position) <= 192);

}  // namespace core
