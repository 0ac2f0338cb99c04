#include "engine/search/see.hpp"

#include "engine/search/parameters.hpp"

namespace engine {

namespace {

using core::Bitboard;
using core::PieceType;
using core::Position;
using core::Square;

Score value_of(PieceType type) {
    return parameters::exchange_value[core::index_of(type)];
}

/// What the move itself wins before anyone takes back.
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
        if (const Bitboard found = attackers & position.pieces(type))
            return {type, found.first()};
    }
    return {PieceType::king, attackers.first()};
}

/// Sliders that see the square once a piece has left a line.
Bitboard uncovered(const Position& position, Square target, Bitboard occupied) {
    return (core::bishop_attacks(target, occupied)
            & position.pieces(PieceType::bishop, PieceType::queen))
         | (core::rook_attacks(target, occupied)
            & position.pieces(PieceType::rook, PieceType::queen));
}

}  // namespace

bool exchange_wins(const Position& position, core::Move move, Score least) {
    if (move.kind() == core::Move::Kind::castling)
        return least <= 0;
    const Square target = move.to();
    const auto mover =
        move.is_promotion() ? move.promoted_to() : position.known_piece_on(move.from()).type();
    Score balance = first_gain(position, move) - least;
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
        attackers |= uncovered(position, target, occupied);
        side = ~side;
        balance = -balance - 1 - value_of(type);
        if (balance >= 0) {
            // A king may not take what is still guarded.
            if (type == PieceType::king && (attackers & occupied & position.pieces(side)))
                side = ~side;
            break;
        }
    }
    return side != position.side_to_move();
}

}  // namespace engine
