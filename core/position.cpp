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
    return (pawn_attacks(~by, square) & pieces(by, PieceType::pawn))
        || (knight_attacks(square) & pieces(by, PieceType::knight))
        || (king_attacks(square) & pieces(by, PieceType::king))
        || is_attacked_by_slider(square, by, occupied);
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
    else if (board_[index_of(to)] != no_piece) {
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
    board_[index_of(square)] = static_cast<std::uint8_t>(piece.index());
    const Key change = zobrist::piece(piece, square);
    key_ ^= change;
    if (piece.type() == PieceType::pawn)
        pawn_key_ ^= change;
}

void Position::relocate(Piece piece, Square from, Square to) {
    const Bitboard both = Bitboard{from} | Bitboard{to};
    types_[index_of(piece.type())] ^= both;
    colors_[index_of(piece.color())] ^= both;
    board_[index_of(from)] = no_piece;
    board_[index_of(to)] = static_cast<std::uint8_t>(piece.index());
    const Key change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    key_ ^= change;
    if (piece.type() == PieceType::pawn)
        pawn_key_ ^= change;
}

void Position::remove(PieceOnSquare departure) {
    const auto [piece, square] = departure;
    const Bitboard bit{square};
    types_[index_of(piece.type())] ^= bit;
    colors_[index_of(piece.color())] ^= bit;
    board_[index_of(square)] = no_piece;
    const Key change = zobrist::piece(piece, square);
    key_ ^= change;
    if (piece.type() == PieceType::pawn)
        pawn_key_ ^= change;
}

/// The key of one castling right: that of a rook in its place.
Key Position::castling_key(Square rook) const {
    const Color color = pieces(Color::white).contains(rook) ? Color::white : Color::black;
    const Side side = side_of_castling(Move::castling(king(color), rook));
    return zobrist::castling(color, side);
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
    next.play(move);
    return next;
}

Position Position::after_pass() const {
    Position next = *this;
    next.pass();
    return next;
}

void Position::play(Move move) {
    const Square from = move.from();
    const Square to = move.to();
    const PieceType mover = known_piece_on(from).type();
    const bool capture = is_capture(move);
    if (capture || mover == PieceType::pawn)
        halfmove_clock_ = 0;
    else if (halfmove_clock_ < largest_counter)
        ++halfmove_clock_;

    // Which side a rook castles to is known only while its king has not moved.
    lose_castling_rights(mover == PieceType::king ? pieces(side_to_move_) | Bitboard{to}
                                                  : Bitboard{from} | Bitboard{to});
    move_pieces(move, capture);
    change_side();
    const int jump = to.index() - from.index();
    if (mover == PieceType::pawn && (jump == 16 || jump == -16))
        allow_en_passant(Square{from.index() + jump / 2});
    look_at_king();
}

void Position::pass() {
    if (halfmove_clock_ < largest_counter)
        ++halfmove_clock_;
    change_side();
    look_at_king();
}

void Position::move_pieces(Move move, bool capture) {
    // Nearly every move is a plain one, and moves its piece faster than its effect could.
    if (move.kind() == Move::Kind::normal) {
        if (capture)
            remove({known_piece_on(move.to()), move.to()});
        relocate(known_piece_on(move.from()), move.from(), move.to());
        return;
    }
    const MoveEffect effect = effect_of(move);
    for (const auto& departure : effect.leaves())
        remove(departure);
    for (const auto& arrival : effect.arrives())
        put(arrival);
}

/// Of rooks on these squares.
void Position::lose_castling_rights(Bitboard touched) {
    const Bitboard lost = castling_rooks_ & touched;
    castling_rooks_ ^= lost;
    for (const Square rook : lost)
        key_ ^= castling_key(rook);
}

bool Position::castles_unusually() const {
    const Bitboard edges = Bitboard::file(0) | Bitboard::file(7);
    for (const Square rook : castling_rooks_) {
        if (!edges.contains(rook) || king(known_piece_on(rook).color()).file() != 4)
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

Key Position::fresh_key() const {
    Key key = 0;
    for (const Square rook : castling_rooks_)
        key ^= castling_key(rook);
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
