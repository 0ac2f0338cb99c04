#include "core/movegen.hpp"

namespace core {

namespace {

/// A sink that adds the moves to a list.
class MoveListSink {
public:
    explicit MoveListSink(MoveList& moves) : moves_{moves} {}

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
    void single(Move move) { moves_.add(move); }

private:
    template <Direction direction, int steps>
    static Square origin(Square to) {
        return Square{to.index() - steps * static_cast<int>(direction)};
    }

    MoveList& moves_;
};

/// A sink that counts the moves.
class MoveCountSink {
public:
    void piece_moves(Square /*from*/, Bitboard targets) { count_ += targets.count(); }
    template <Direction direction, int steps = 1>
    void pawn_moves(Bitboard targets) {
        count_ += targets.count();
    }
    template <Direction direction>
    void promotions(Bitboard targets) {
        count_ += 4 * targets.count();
    }
    void single(Move /*move*/) { ++count_; }

    int count() const { return count_; }

private:
    int count_ = 0;
};

/// Generates the legal moves of a position into a sink, piece by piece. All are legal by
/// construction: targets lie in the check mask, and pinned pieces stay on their pin line.
template <Color us, MoveKinds kinds, typename Sink>
class Generator {
public:
    Generator(const Position& position, Sink sink)
        : sink_{sink},
          position_{position},
          king_{position.king(us)},
          occupied_{position.pieces()},
          straight_pins_{position.straight_pins()},
          diagonal_pins_{position.diagonal_pins()} {}

    /// Generates all moves and returns the sink.
    Sink run() {
        king_moves();
        const Bitboard checkers = position_.checkers();
        if (!checkers.more_than_one()) {
            if (checkers)
                check_mask_ = checkers | between(king_, checkers.lsb());
            pawns();
            pieces();
            if (quiets && checkers.empty())
                castlings();
        }
        return sink_;
    }

private:
    static constexpr Color them = ~us;
    static constexpr bool noisies = kinds != MoveKinds::quiet;
    static constexpr bool quiets = kinds != MoveKinds::noisy;

    static constexpr Direction up = us == Color::white ? Direction::north : Direction::south;
    static constexpr Direction up_east =
        us == Color::white ? Direction::north_east : Direction::south_east;
    static constexpr Direction up_west =
        us == Color::white ? Direction::north_west : Direction::south_west;
    static constexpr Bitboard last_rank = Bitboard::rank(us == Color::white ? 7 : 0);
    static constexpr Bitboard third_rank = Bitboard::rank(us == Color::white ? 2 : 5);

    Bitboard own() const { return position_.pieces(us); }
    Bitboard own(PieceType type) const { return position_.pieces(us, type); }
    Bitboard enemies() const { return position_.pieces(them); }

    /// The target squares of pieces other than pawns for these kinds of moves.
    Bitboard target_mask() const {
        if constexpr (kinds == MoveKinds::all)
            return ~own();
        else if constexpr (kinds == MoveKinds::noisy)
            return enemies();
        else
            return ~occupied_;
    }

    void king_moves() {
        Bitboard targets = king_attacks(king_) & target_mask();
        if (targets)
            targets &= ~non_slider_attacks();
        const Bitboard without_king = occupied_ ^ Bitboard { king_ };
        for (const Square to : targets) {
            if (position_.is_attacked_by_slider(to, them, without_king))
                targets ^= Bitboard{to};
        }
        sink_.piece_moves(king_, targets);
    }

    /// The squares attacked by the opponent's pawns, knights and king.
    Bitboard non_slider_attacks() const {
        Bitboard attacked = pawn_attacks<them>(position_.pieces(them, PieceType::pawn))
                          | king_attacks(position_.king(them));
        for (const Square from : position_.pieces(them, PieceType::knight))
            attacked |= knight_attacks(from);
        return attacked;
    }

    void pieces() {
        const Bitboard targets = target_mask() & check_mask_;
        const Bitboard pinned = straight_pins_ | diagonal_pins_;
        for (const Square from : own(PieceType::knight) & ~pinned)
            sink_.piece_moves(from, knight_attacks(from) & targets);

        const Bitboard diagonal = position_.pieces(us, PieceType::bishop, PieceType::queen);
        for (const Square from : diagonal & ~pinned)
            sink_.piece_moves(from, bishop_attacks(from, occupied_) & targets);
        for (const Square from : diagonal& diagonal_pins_)
            sink_.piece_moves(from, bishop_attacks(from, occupied_) & targets & diagonal_pins_);

        const Bitboard straight = position_.pieces(us, PieceType::rook, PieceType::queen);
        for (const Square from : straight & ~pinned)
            sink_.piece_moves(from, rook_attacks(from, occupied_) & targets);
        for (const Square from : straight& straight_pins_)
            sink_.piece_moves(from, rook_attacks(from, occupied_) & targets & straight_pins_);
    }

    void pawns() {
        const Bitboard all = own(PieceType::pawn);
        const Bitboard pushers = all & ~diagonal_pins_;
        const Bitboard free_pushers = pushers & ~straight_pins_;
        const Bitboard pinned_pushers = pushers & straight_pins_;
        const Bitboard single =
            (shift<up>(free_pushers) | (shift<up>(pinned_pushers) & straight_pins_)) & ~occupied_;
        if constexpr (quiets) {
            sink_.template pawn_moves<up>(single & check_mask_ & ~last_rank);
            const Bitboard double_pushes =
                shift<up>(single & third_rank) & ~occupied_ & check_mask_;
            sink_.template pawn_moves<up, 2>(double_pushes);
        }
        if constexpr (noisies) {
            sink_.template promotions<up>(single & check_mask_ & last_rank);
            const Bitboard capturers = all & ~straight_pins_;
            captures<up_east>(capturers);
            captures<up_west>(capturers);
            if (position_.en_passant())
                en_passant(*position_.en_passant(), all);
        }
    }

    template <Direction direction>
    void captures(Bitboard capturers) {
        const Bitboard free = capturers & ~diagonal_pins_;
        const Bitboard pinned = capturers & diagonal_pins_;
        const Bitboard targets =
            (shift<direction>(free) | (shift<direction>(pinned) & diagonal_pins_)) & enemies()
            & check_mask_;
        sink_.template pawn_moves<direction>(targets & ~last_rank);
        sink_.template promotions<direction>(targets & last_rank);
    }

    void en_passant(Square to, Bitboard pawns) {
        for (const Square from : pawn_attacks(them, to) & pawns) {
            if (position_.is_legal_en_passant(from, to))
                sink_.single(Move::en_passant(from, to));
        }
    }

    void castlings() {
        const Bitboard rooks = position_.castling_rooks() & own();
        const Bitboard east_of_king{~0ULL << king_.index()};
        castling(rooks & east_of_king, Side::king_side);
        castling(rooks & ~east_of_king, Side::queen_side);
    }

    void castling(Bitboard rook, Side side) {
        // The cheapest and most frequent obstacle first: a piece between king and rook.
        if (rook.empty() || (between(king_, rook.lsb()) & occupied_))
            return;
        if (can_castle(rook.lsb(), side))
            sink_.single(Move::castling(king_, rook.lsb()));
    }

    bool can_castle(Square rook, Side side) const {
        const Square king_to = castled_king(us, side);
        const Square rook_to = castled_rook(us, side);
        const Bitboard king_path = between(king_, king_to) | Bitboard{king_to};
        const Bitboard rook_path = between(rook, rook_to) | Bitboard{rook_to};
        const Bitboard others = occupied_ ^ Bitboard { king_ } ^ Bitboard { rook };
        // A rook that shields its king along the rank is pinned and cannot castle (Chess960).
        if (((king_path | rook_path) & others) || straight_pins_.contains(rook))
            return false;
        for (const Square square : king_path) {
            if (position_.is_attacked(square, them, occupied_))
                return false;
        }
        return true;
    }

    Sink sink_;
    const Position& position_;
    const Square king_;
    const Bitboard occupied_;
    const Bitboard straight_pins_;
    const Bitboard diagonal_pins_;
    Bitboard check_mask_ = Bitboard::all();
};

template <MoveKinds kinds, typename Sink>
Sink generate(const Position& position, Sink sink) {
    if (position.side_to_move() == Color::white)
        return Generator<Color::white, kinds, Sink>{position, sink}.run();
    return Generator<Color::black, kinds, Sink>{position, sink}.run();
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
    const Bitboard pinned = position.straight_pins() | position.diagonal_pins();
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
    return generate<MoveKinds::all>(position, MoveCountSink{}).count();
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
