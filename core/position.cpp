#include "core/position.hpp"

#include <algorithm>
#include <string>

#include "core/move_rules.hpp"

namespace core {

namespace {

/// Whether assertions compare the keys of this position with fresh ones: every eighth, since
/// comparing all would make debug builds twice as slow.
[[maybe_unused]] constexpr bool is_sampled(Key key) {
    return key % 8 == 0;
}

/// Whether a castling move names the own king and one of its castling rooks, or an en passant
/// capture names a pawn and the en passant square. Only for assertions.
[[maybe_unused]] bool is_plausible_special(const Position& position, Move move) {
    const auto mover = position.piece_at_unchecked(move.from()).type();
    if (move.kind() == Move::Kind::castling)
        return mover == PieceType::king && position.castling_rooks().contains(move.to())
            && position.pieces(position.side_to_move()).contains(move.to());
    return mover == PieceType::pawn && position.en_passant() == move.to();
}

/// Whether the moving piece can go there, whatever happens to its king. Only for assertions.
[[maybe_unused]] bool is_pseudo_legal(const Position& position, Move move) {
    const Color us = position.side_to_move();
    const Square to = move.to();
    if (!move.has_known_kind() || !position.pieces(us).contains(move.from()))
        return false;
    if (move.kind() == Move::Kind::castling || move.kind() == Move::Kind::en_passant)
        return is_plausible_special(position, move);
    const auto mover = position.piece_at_unchecked(move.from()).type();
    if (position.pieces(us).contains(to) || position.pieces(PieceType::king).contains(to))
        return false;
    if (mover != PieceType::pawn)
        return !move.is_promotion()
            && piece_attacks(mover, move.from(), position.pieces()).contains(to);
    if (move.is_promotion() != (to.relative_rank(us) == 7))
        return false;
    if (position.pieces(~us).contains(to))
        return pawn_attacks(us, move.from()).contains(to);
    const int steps = to.relative_rank(us) - move.from().relative_rank(us);
    return to.file() == move.from().file() && !position.pieces().contains(to)
        && (steps == 1
            || (steps == 2 && move.from().relative_rank(us) == 1
                && (between(move.from(), to) & position.pieces()).empty()));
}

}  // namespace

const Position& Position::start() {
    static const Position position = [] {
        constexpr std::array back_rank{PieceType::rook,   PieceType::knight, PieceType::bishop,
                                       PieceType::queen,  PieceType::king,   PieceType::bishop,
                                       PieceType::knight, PieceType::rook};
        Setup setup;
        for (std::size_t file = 0; file < 8; ++file) {
            setup.board[file] = Piece{Color::white, back_rank[file]};
            setup.board[8 + file] = Piece{Color::white, PieceType::pawn};
            setup.board[48 + file] = Piece{Color::black, PieceType::pawn};
            setup.board[56 + file] = Piece{Color::black, back_rank[file]};
        }
        for (const Square corner : {"a1"_sq, "h1"_sq, "a8"_sq, "h8"_sq})
            setup.castling_rooks |= Bitboard{corner};
        return *from(setup);
    }();
    return position;
}

Result<Position> Position::from(const Setup& setup) {
    if (auto error = validate(setup))
        return *error;
    Position position;
    position.board_.fill(no_piece);
    for (int i = 0; i < Square::count; ++i) {
        if (const auto piece = setup.at(Square{i}))
            position.put({*piece, Square{i}});
    }
    position.side_to_move_ = setup.side_to_move;
    position.castling_rooks_ = setup.castling_rooks;
    position.halfmove_clock_ = static_cast<std::uint16_t>(setup.halfmove_clock);
    position.fullmove_number_ = static_cast<std::uint16_t>(std::max(1, setup.fullmove_number));
    position.key_ = position.compute_key();
    const Color them = ~setup.side_to_move;
    if (position.is_attacked(position.king(them), setup.side_to_move, position.pieces()))
        return Error{"side to move: " + std::string{name(them)}
                     + " is in check, so it cannot be the turn of "
                     + std::string{name(setup.side_to_move)}};
    if (setup.en_passant)
        position.allow_en_passant(*setup.en_passant);
    position.update_checks_and_pins();
    return position;
}

Bitboard Position::attackers(Square square, Bitboard occupied) const {
    return (pawn_attacks(Color::black, square) & pieces(Color::white, PieceType::pawn))
         | (pawn_attacks(Color::white, square) & pieces(Color::black, PieceType::pawn))
         | (knight_attacks(square) & pieces(PieceType::knight))
         | (king_attacks(square) & pieces(PieceType::king))
         | (bishop_attacks(square, occupied) & pieces(PieceType::bishop, PieceType::queen))
         | (rook_attacks(square, occupied) & pieces(PieceType::rook, PieceType::queen));
}

bool Position::is_attacked(Square square, Color by, Bitboard occupied) const {
    return rules::is_attacked(*this, square, by, occupied);
}

DirtyPieces Position::dirty_pieces(Move move) const {
    const Square from = move.from();
    const Square to = move.to();
    const Piece mover = piece_at_unchecked(from);
    DirtyPieces dirty{{{{mover, from}, {mover, from}}}, {{{mover, to}, {mover, to}}}, 1, 1};
    if (move.kind() == Move::Kind::castling) {
        const Side side = side_of_castling(move);
        const Piece rook{side_to_move_, PieceType::rook};
        dirty.removed[1] = {rook, to};
        dirty.added[0] = {mover, castled_king(side_to_move_, side)};
        dirty.added[1] = {rook, castled_rook(side_to_move_, side)};
        dirty.removed_count = dirty.added_count = 2;
        return dirty;
    }
    if (move.kind() == Move::Kind::en_passant) {
        dirty.removed[1] = {{~side_to_move_, PieceType::pawn},
                            rules::captured_en_passant(from, to)};
        dirty.removed_count = 2;
    }
    else if (board_[index_of(to)] != no_piece) {
        dirty.removed[1] = {piece_at_unchecked(to), to};
        dirty.removed_count = 2;
    }
    if (move.is_promotion())
        dirty.added[0].piece = Piece{side_to_move_, move.promoted_to()};
    return dirty;
}

void Position::put(PieceOnSquare added) {
    const auto [piece, square] = added;
    const Bitboard bit{square};
    types_[index_of(piece.type())] |= bit;
    colors_[index_of(piece.color())] |= bit;
    board_[index_of(square)] = static_cast<std::uint8_t>(piece.index());
    const Key change = zobrist::piece(piece, square);
    key_ ^= change;
    part_keys_.change(piece, change);
}

void Position::move_piece(Piece piece, Square from, Square to) {
    const Bitboard both = Bitboard{from} | Bitboard{to};
    types_[index_of(piece.type())] ^= both;
    colors_[index_of(piece.color())] ^= both;
    board_[index_of(from)] = no_piece;
    board_[index_of(to)] = static_cast<std::uint8_t>(piece.index());
    const Key change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    key_ ^= change;
    part_keys_.change(piece, change);
}

void Position::remove(PieceOnSquare removed) {
    const auto [piece, square] = removed;
    const Bitboard bit{square};
    types_[index_of(piece.type())] ^= bit;
    colors_[index_of(piece.color())] ^= bit;
    board_[index_of(square)] = no_piece;
    const Key change = zobrist::piece(piece, square);
    key_ ^= change;
    part_keys_.change(piece, change);
}

/// The key of the castling right that belongs to a rook.
Key Position::castling_key(Square rook) const {
    const Color color = pieces(Color::white).contains(rook) ? Color::white : Color::black;
    const Side side = side_of_castling(Move::castling(king(color), rook));
    return zobrist::castling(color, side);
}

bool Position::is_legal_en_passant(Square from, Square to) const {
    return rules::is_legal_en_passant(*this, side_to_move_, from, to);
}

/// Sets the en passant square if a legal capture exists. The side to move is the capturing one.
void Position::allow_en_passant(Square target) {
    const Bitboard capturers =
        pawn_attacks(~side_to_move_, target) & pieces(side_to_move_, PieceType::pawn);
    for (const Square from : capturers) {
        if (is_legal_en_passant(from, target)) {
            en_passant_ = target;
            key_ ^= zobrist::en_passant(target);
            return;
        }
    }
}

void Position::change_side() {
    if (en_passant_) {
        key_ ^= zobrist::en_passant(*en_passant_);
        en_passant_.reset();
    }
    if (side_to_move_ == Color::black && fullmove_number_ < max_counter)
        ++fullmove_number_;
    side_to_move_ = ~side_to_move_;
    key_ ^= zobrist::white_to_move();
}

void Position::update_checks_and_pins() {
    const auto found = rules::checks_and_pins(*this, side_to_move_);
    checkers_ = found.checkers;
    orthogonal_pins_ = found.orthogonal_pins;
    diagonal_pins_ = found.diagonal_pins;
}

Position Position::after(Move move) const {
    Position next = *this;
    next.play(move);
    return next;
}

Position Position::after_null_move() const {
    Position next = *this;
    next.play_null_move();
    return next;
}

void Position::play(Move move) {
    assert(is_pseudo_legal(*this, move));
    const Square from = move.from();
    const Square to = move.to();
    const PieceType mover = piece_at_unchecked(from).type();
    const bool capture = is_capture(move);
    if (capture || mover == PieceType::pawn)
        halfmove_clock_ = 0;
    else if (halfmove_clock_ < max_counter)
        ++halfmove_clock_;

    // Before the king moves: the side that a rook castles to follows from the king's square.
    clear_castling_rights(mover == PieceType::king ? pieces(side_to_move_) | Bitboard{to}
                                                   : Bitboard{from} | Bitboard{to});
    move_pieces(move, capture);
    change_side();
    const int step = to.index() - from.index();
    if (mover == PieceType::pawn && (step == 16 || step == -16))
        allow_en_passant(Square{from.index() + step / 2});
    update_checks_and_pins();
    assert(!is_attacked(king(~side_to_move_), side_to_move_, pieces()));
    assert(!is_sampled(key_) || (key_ == compute_key() && part_keys_ == compute_part_keys()));
}

void Position::play_null_move() {
    assert(!in_check());
    if (halfmove_clock_ < max_counter)
        ++halfmove_clock_;
    change_side();
    update_checks_and_pins();
    assert(!is_sampled(key_) || key_ == compute_key());
}

void Position::move_pieces(Move move, bool capture) {
    // Fast path: nearly every move is normal, and computing its DirtyPieces first would be slower.
    if (move.kind() == Move::Kind::normal) {
        if (capture)
            remove({piece_at_unchecked(move.to()), move.to()});
        move_piece(piece_at_unchecked(move.from()), move.from(), move.to());
        return;
    }
    const DirtyPieces dirty = dirty_pieces(move);
    for (const auto& removed : dirty.removed_pieces())
        remove(removed);
    for (const auto& added : dirty.added_pieces())
        put(added);
}

void Position::clear_castling_rights(Bitboard touched) {
    const Bitboard lost = castling_rooks_ & touched;
    castling_rooks_ ^= lost;
    for (const Square rook : lost)
        key_ ^= castling_key(rook);
}

bool Position::is_chess960() const {
    const Bitboard edges = Bitboard::file(0) | Bitboard::file(7);
    for (const Square rook : castling_rooks_) {
        if (!edges.contains(rook) || king(piece_at_unchecked(rook).color()).file() != 4)
            return true;
    }
    return false;
}

bool Position::has_insufficient_material() const {
    if (pieces(PieceType::pawn) | pieces(PieceType::rook, PieceType::queen))
        return false;
    const Bitboard knights = pieces(PieceType::knight);
    const Bitboard bishops = pieces(PieceType::bishop);
    if (knights)
        return bishops.empty() && !knights.more_than_one();
    constexpr Bitboard light = Bitboard::light_squares();
    return (bishops & light).empty() || (bishops & ~light).empty();
}

Key Position::compute_key() const {
    Key key = 0;
    for (const Square rook : castling_rooks_)
        key ^= castling_key(rook);
    for (const Square square : pieces())
        key ^= zobrist::piece(piece_at_unchecked(square), square);
    if (en_passant_)
        key ^= zobrist::en_passant(*en_passant_);
    if (side_to_move_ == Color::white)
        key ^= zobrist::white_to_move();
    return key;
}

PartKeys Position::compute_part_keys() const {
    PartKeys keys;
    for (const Square square : pieces()) {
        const Piece piece = piece_at_unchecked(square);
        keys.change(piece, zobrist::piece(piece, square));
    }
    return keys;
}

}  // namespace core
