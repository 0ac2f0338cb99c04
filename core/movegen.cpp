#include "core/movegen.hpp"

#include "core/move_rules.hpp"

namespace core {

namespace {

/// A sink that adds the moves to a list.
class MoveListSink {
public:
    explicit MoveListSink(MoveList& moves) : moves_{moves} {}

    template <rules::Movers>
    void piece_moves(Square from, Bitboard targets) {
        for (const Square to : targets)
            moves_.add(Move::normal(from, to));
    }
    template <Direction direction, int steps = 1>
    void pawn_moves(Bitboard targets) {
        for (const Square to : targets)
            moves_.add(Move::normal(origin<direction, steps>(to), to));
    }
    template <Direction direction>
    void promotions(Bitboard targets) {
        for (const Square to : targets) {
            for (const auto type :
                 {PieceType::queen, PieceType::knight, PieceType::rook, PieceType::bishop})
                moves_.add(Move::promotion(origin<direction, 1>(to), to, type));
        }
    }
    void en_passant(Square from, Square to) { moves_.add(Move::en_passant(from, to)); }
    void castling(Square king, Square rook, Side /*side*/) {
        moves_.add(Move::castling(king, rook));
    }

private:
    template <Direction direction, int steps>
    static Square origin(Square to) {
        return Square{to.index() - steps * static_cast<int>(direction)};
    }

    MoveList& moves_;
};

template <MoveKinds kinds, typename Sink>
Sink generate(const Position& position, Sink sink) {
    const rules::ChecksAndPins limits{position.checkers(), position.orthogonal_pins(),
                                      position.diagonal_pins()};
    if (position.side_to_move() == Color::white)
        return rules::Generator<Color::white, kinds, Position, Sink>{position, limits, sink}.run();
    return rules::Generator<Color::black, kinds, Position, Sink>{position, limits, sink}.run();
}

/// The target squares of a pawn, without en passant.
Bitboard pawn_targets(const Position& position, Square from) {
    const Color us = position.side_to_move();
    const Bitboard empty = ~position.pieces();
    const Bitboard start{from};
    const Bitboard step =
        (us == Color::white ? shift<Direction::north>(start) : shift<Direction::south>(start))
        & empty;
    Bitboard targets = step | (pawn_attacks(us, from) & position.pieces(~us));
    if (from.relative_rank(us) == 1)
        targets |=
            (us == Color::white ? shift<Direction::north>(step) : shift<Direction::south>(step))
            & empty;
    return targets;
}

/// Whether a move of a piece other than the king answers any check and respects pins.
bool keeps_king_safe(const Position& position, Move move) {
    const Square king = position.king(position.side_to_move());
    const Bitboard from{move.from()};
    const Bitboard to{move.to()};
    const Bitboard checkers = position.checkers();
    if (checkers.more_than_one())
        return false;
    if (checkers && !((checkers | between(king, checkers.lsb())) & to))
        return false;
    const Bitboard pinned = position.orthogonal_pins() | position.diagonal_pins();
    return !(pinned & from) || between(king, move.to()).contains(move.from())
        || between(king, move.from()).contains(move.to());
}

bool is_legal_king_move(const Position& position, Move move) {
    const Color us = position.side_to_move();
    const Bitboard without_king = position.pieces() ^ Bitboard { move.from() };
    return king_attacks(move.from()).contains(move.to()) && !position.pieces(us).contains(move.to())
        && !position.is_attacked(move.to(), ~us, without_king);
}

}  // namespace

MoveList legal_moves(const Position& position, MoveKinds kinds) {
    MoveList moves;
    switch (kinds) {
        case MoveKinds::all: generate<MoveKinds::all>(position, MoveListSink{moves}); break;
        case MoveKinds::noisy: generate<MoveKinds::noisy>(position, MoveListSink{moves}); break;
        case MoveKinds::quiet: generate<MoveKinds::quiet>(position, MoveListSink{moves}); break;
    }
    return moves;
}

int count_legal_moves(const Position& position) {
    return generate<MoveKinds::all>(position, rules::MoveCountSink{}).count();
}

bool is_legal(const Position& position, Move move) {
    const Color us = position.side_to_move();
    const auto mover = position.piece_on(move.from());
    if (!mover || mover->color() != us || !move.has_known_kind())
        return false;
    if (move.kind() == Move::Kind::castling || move.kind() == Move::Kind::en_passant) {
        // Rare, so generating the list is fast enough.
        return legal_moves(position, move.kind() == Move::Kind::castling ? MoveKinds::quiet
                                                                         : MoveKinds::noisy)
            .contains(move);
    }
    const bool last_rank = mover->type() == PieceType::pawn && move.to().relative_rank(us) == 7;
    if (move.is_promotion() != last_rank || position.pieces(us).contains(move.to()))
        return false;
    if (mover->type() == PieceType::king)
        return move.kind() == Move::Kind::normal && is_legal_king_move(position, move);
    const Bitboard targets = mover->type() == PieceType::pawn
                               ? pawn_targets(position, move.from())
                               : piece_attacks(mover->type(), move.from(), position.pieces());
    return targets.contains(move.to()) && keeps_king_safe(position, move);
}

}  // namespace core
