#include "core/position.hpp"

#include <algorithm>
#include <string>

namespace core {

namespace {

Square captured_en_passant(Square from, Square to) {
    return Square::at(to.file(), from.rank());
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
    if (auto fault = fault_of(setup))
        return *fault;
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
    position.key_ = position.fresh_key();
    const Color them = ~setup.side_to_move;
    if (position.is_attacked(position.king(them), setup.side_to_move, position.pieces()))
        return Error{"side to move: " + std::string{name(them)}
                     + " is in check, so it cannot be the turn of "
                     + std::string{name(setup.side_to_move)}};
    if (setup.en_passant)
        position.allow_en_passant(*setup.en_passant);
    position.look_at_king();
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
    if ((pawn_attacks(~by, square) & pieces(by, PieceType::pawn))
        || (knight_attacks(square) & pieces(by, PieceType::knight))
        || (king_attacks(square) & pieces(by, PieceType::king)))
        return true;
    const Bitboard diagonal = pieces(by, PieceType::bishop, PieceType::queen);
    if ((bishop_rays(square) & diagonal) && (bishop_attacks(square, occupied) & diagonal))
        return true;
    const Bitboard straight = pieces(by, PieceType::rook, PieceType::queen);
    return (rook_rays(square) & straight) && (rook_attacks(square, occupied) & straight);
}

std::optional<Square> Position::castling_rook(Color color, Side side) const {
    const Bitboard rooks = castling_rooks_ & pieces(color);
    if (rooks.empty())
        return std::nullopt;
    const int king_file = king(color).file();
    for (const Square rook : rooks) {
        if ((rook.file() > king_file) == (side == Side::king_side))
            return rook;
    }
    return std::nullopt;
}

MoveEffect Position::effect_of(Move move) const {
    const Square from = move.from();
    const Square to = move.to();
    const Piece mover = known_piece_on(from);
    MoveEffect effect{{{{mover, from}, {mover, from}}}, {{{mover, to}, {mover, to}}}, 1, 1};
    if (move.kind() == Move::Kind::castling) {
        const Side side = side_of_castling(move);
        const Piece rook{side_to_move_, PieceType::rook};
        effect.left[1] = {rook, to};
        effect.arrived[0] = {mover, castled_king(side_to_move_, side)};
        effect.arrived[1] = {rook, castled_rook(side_to_move_, side)};
        effect.left_count = effect.arrived_count = 2;
        return effect;
    }
    if (move.kind() == Move::Kind::en_passant) {
        effect.left[1] = {{~side_to_move_, PieceType::pawn}, captured_en_passant(from, to)};
        effect.left_count = 2;
    }
    else if (board_[detail::index_of(to)] != no_piece) {
        effect.left[1] = {known_piece_on(to), to};
        effect.left_count = 2;
    }
    if (move.is_promotion())
        effect.arrived[0].piece = Piece{side_to_move_, move.promoted_to()};
    return effect;
}

void Position::put(PieceOnSquare arrival) {
    const auto [piece, square] = arrival;
    const Bitboard bit{square};
    types_[index_of(piece.type())] |= bit;
    colors_[index_of(piece.color())] |= bit;
    board_[detail::index_of(square)] = static_cast<std::uint8_t>(piece.index());
    const Key change = zobrist::piece(piece, square);
    key_ ^= change;
    if (piece.type() == PieceType::pawn)
        pawn_key_ ^= change;
}

void Position::remove(PieceOnSquare departure) {
    const auto [piece, square] = departure;
    const Bitboard bit{square};
    types_[index_of(piece.type())] ^= bit;
    colors_[index_of(piece.color())] ^= bit;
    board_[detail::index_of(square)] = no_piece;
    const Key change = zobrist::piece(piece, square);
    key_ ^= change;
    if (piece.type() == PieceType::pawn)
        pawn_key_ ^= change;
}

Key Position::castling_key() const {
    Key key = 0;
    for (const Color color : both_colors) {
        for (const Side side : both_sides) {
            if (castling_rook(color, side))
                key ^= zobrist::castling(color, side);
        }
    }
    return key;
}

void Position::lose_castling(Bitboard touched, Color mover, bool king_moved) {
    if (king_moved)
        touched |= Bitboard::rank(mover == Color::white ? 0 : 7);
    if ((castling_rooks_ & touched).empty())
        return;
    castling_rooks_ &= ~touched;
}

bool Position::is_legal_en_passant(Square from, Square to) const {
    const Bitboard victim{captured_en_passant(from, to)};
    const Bitboard occupied = (pieces() ^ Bitboard{from} ^ victim) | Bitboard{to};
    const Bitboard attackers_left =
        attackers(king(side_to_move_), occupied) & pieces(~side_to_move_) & ~victim;
    return attackers_left.empty();
}

/// Called when the side to move has changed: keeps the square only where a capture is legal.
void Position::allow_en_passant(Square jumped_over) {
    const Bitboard capturers =
        pawn_attacks(~side_to_move_, jumped_over) & pieces(side_to_move_, PieceType::pawn);
    for (const Square from : capturers) {
        if (is_legal_en_passant(from, jumped_over)) {
            en_passant_ = jumped_over;
            key_ ^= zobrist::en_passant(jumped_over);
            return;
        }
    }
}

void Position::change_side() {
    if (en_passant_) {
        key_ ^= zobrist::en_passant(*en_passant_);
        en_passant_.reset();
    }
    if (side_to_move_ == Color::black && fullmove_number_ < largest_counter)
        ++fullmove_number_;
    side_to_move_ = ~side_to_move_;
    key_ ^= zobrist::white_to_move();
}

void Position::look_at_king() {
    const Color us = side_to_move_;
    const Square at = king(us);
    const Bitboard occupied = pieces();
    checkers_ = ((pawn_attacks(us, at) & pieces(PieceType::pawn))
                 | (knight_attacks(at) & pieces(PieceType::knight)))
              & pieces(~us);
    const auto look_along = [&](Bitboard rays, PieceType slider) {
        Bitboard pins;
        for (const Square attacker : rays& pieces(~us, slider, PieceType::queen)) {
            const Bitboard path = between(at, attacker);
            const Bitboard blockers = path & occupied;
            if (blockers.empty())
                checkers_ |= Bitboard{attacker};
            else if (!blockers.more_than_one() && (blockers & pieces(us)))
                pins |= path | Bitboard{attacker};
        }
        return pins;
    };
    straight_pins_ = look_along(rook_rays(at), PieceType::rook);
    diagonal_pins_ = look_along(bishop_rays(at), PieceType::bishop);
}

Position Position::after(Move move) const {
    Position next = *this;
    const MoveEffect effect = effect_of(move);
    const PieceType mover = effect.left[0].piece.type();
    next.remove(effect.left[0]);
    if (effect.left_count == 2)
        next.remove(effect.left[1]);
    next.put(effect.arrived[0]);
    if (effect.arrived_count == 2)
        next.put(effect.arrived[1]);

    const bool capture = effect.left_count == 2 && effect.arrived_count == 1;
    if (capture || mover == PieceType::pawn)
        next.halfmove_clock_ = 0;
    else if (halfmove_clock_ < largest_counter)
        ++next.halfmove_clock_;

    if (castling_rooks_) {
        next.lose_castling(Bitboard{move.from()} | Bitboard{move.to()}, side_to_move_,
                           mover == PieceType::king);
        if (next.castling_rooks_ != castling_rooks_)
            next.key_ ^= castling_key() ^ next.castling_key();
    }
    next.change_side();
    const int jump = move.to().index() - move.from().index();
    if (mover == PieceType::pawn && (jump == 16 || jump == -16))
        next.allow_en_passant(Square{move.from().index() + jump / 2});
    next.look_at_king();
    return next;
}

Position Position::after_pass() const {
    Position next = *this;
    if (halfmove_clock_ < largest_counter)
        ++next.halfmove_clock_;
    next.change_side();
    next.look_at_king();
    return next;
}

bool Position::has_insufficient_material() const {
    if (pieces(PieceType::pawn) | pieces(PieceType::rook, PieceType::queen))
        return false;
    const Bitboard knights = pieces(PieceType::knight);
    const Bitboard bishops = pieces(PieceType::bishop);
    if (knights)
        return bishops.empty() && !knights.more_than_one();
    constexpr Bitboard light{0x55AA55AA55AA55AAULL};
    return (bishops & light).empty() || (bishops & ~light).empty();
}

Key Position::fresh_key() const {
    Key key = castling_key();
    for (const Square square : pieces())
        key ^= zobrist::piece(known_piece_on(square), square);
    if (en_passant_)
        key ^= zobrist::en_passant(*en_passant_);
    if (side_to_move_ == Color::white)
        key ^= zobrist::white_to_move();
    return key;
}

Key Position::fresh_pawn_key() const {
    Key key = 0;
    for (const Square square : pieces(PieceType::pawn))
        key ^= zobrist::piece(known_piece_on(square), square);
    return key;
}

}  // namespace core
