#include "engine/search/see.hpp"

#include "engine/search/parameters.hpp"

namespace engine::search {

namespace {

using core::Bitboard;
using core::PieceType;
using core::Position;
using core::Square;

Score value_of(PieceType type) {
    return parameters::see_value[core::index_of(type)];
}

/// What the move itself wins, before any recapture.
Score first_gain(const Position& position, core::Move move) {
    if (move.kind() == core::Move::Kind::en_passant)
        return value_of(PieceType::pawn);
    const auto captured = position.piece_on(move.to());
    const Score gain = captured ? value_of(captured->type()) : 0;
    return move.is_promotion() ? gain + value_of(move.promoted_to()) - value_of(PieceType::pawn)
                               : gain;
}

struct Attacker {
    PieceType type;
    Square square;
};

Attacker least_valuable(const Position& position, Bitboard attackers) {
    for (const auto type : core::all_piece_types) {
        if (const Bitboard own = attackers & position.pieces(type))
            return {type, own.lsb()};
    }
    return {PieceType::king, attackers.lsb()};
}

/// Sliders that attack the target on this occupancy: x-rays through pieces that have captured.
Bitboard slider_attackers(const Position& position, Square target, Bitboard occupied) {
    return (core::bishop_attacks(target, occupied)
            & position.pieces(PieceType::bishop, PieceType::queen))
         | (core::rook_attacks(target, occupied)
            & position.pieces(PieceType::rook, PieceType::queen));
}

}  // namespace

bool see_ge(const Position& position, core::Move move, Score threshold) {
    if (move.kind() == core::Move::Kind::castling)
        return threshold <= 0;
    const Square target = move.to();
    const auto mover =
        move.is_promotion() ? move.promoted_to() : position.piece_at_unchecked(move.from()).type();
    Score balance = first_gain(position, move) - threshold;
    if (balance < 0)
        return false;
    balance -= value_of(mover);
    if (balance >= 0)
        return true;

    Bitboard occupied = (position.pieces() ^ Bitboard{move.from()}) | Bitboard{target};
    if (move.kind() == core::Move::Kind::en_passant)
        occupied ^= Bitboard{Square::at(target.file(), move.from().rank())};
    Bitboard attackers = position.attackers(target, occupied);
    core::Color side = ~position.side_to_move();
    for (;;) {
        attackers &= occupied;
        const Bitboard own = attackers & position.pieces(side);
        if (own.empty())
            break;
        const auto [type, square] = least_valuable(position, own);
        occupied ^= Bitboard{square};
        attackers |= slider_attackers(position, target, occupied);
        side = ~side;
        balance = -balance - 1 - value_of(type);
        if (balance >= 0) {
            // A king may not capture a piece that is still defended.
            if (type == PieceType::king && (attackers & occupied & position.pieces(side)))
                side = ~side;
            break;
        }
    }
    return side != position.side_to_move();
}

}  // namespace engine::search
