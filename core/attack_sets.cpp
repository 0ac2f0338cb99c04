#include "core/attack_sets.hpp"

#include "core/attacks.hpp"

namespace core {

namespace {

void add_pawns(AttackSets& sets, Bitboard to_east, Bitboard to_west) {
    sets.by[index_of(PieceType::pawn)] = sets.by_any = to_east | to_west;
    sets.by_many = to_east & to_west;
}

/// Adds what each of some pieces of a type attacks.
template <typename Attacks>
void add_pieces(AttackSets& sets, PieceType type, Bitboard pieces, const Attacks& attacks) {
    for (const auto square : pieces) {
        const Bitboard attacked = attacks(square);
        sets.by[index_of(type)] |= attacked;
        sets.by_many |= sets.by_any & attacked;
        sets.by_any |= attacked;
    }
}

}  // namespace

AttackSets attack_sets(Color color, const SquaresByType& pieces, Bitboard occupied) {
    const auto of = [&](PieceType type) { return pieces[index_of(type)]; };
    const Bitboard pawns = of(PieceType::pawn);
    AttackSets sets;
    if (color == Color::white)
        add_pawns(sets, shift<Direction::north_east>(pawns), shift<Direction::north_west>(pawns));
    else
        add_pawns(sets, shift<Direction::south_east>(pawns), shift<Direction::south_west>(pawns));
    add_pieces(sets, PieceType::knight, of(PieceType::knight), knight_attacks);
    add_pieces(sets, PieceType::bishop, of(PieceType::bishop),
               [&](Square square) { return bishop_attacks(square, occupied); });
    add_pieces(sets, PieceType::rook, of(PieceType::rook),
               [&](Square square) { return rook_attacks(square, occupied); });
    add_pieces(sets, PieceType::queen, of(PieceType::queen),
               [&](Square square) { return queen_attacks(square, occupied); });
    add_pieces(sets, PieceType::king, of(PieceType::king), king_attacks);
    return sets;
}

}  // namespace core
