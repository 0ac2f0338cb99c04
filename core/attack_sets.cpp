#include "core/attack_sets.hpp"

#include "core/attacks.hpp"

namespace core {

AttackSets attack_sets(Color color, const SquaresByType& pieces, Bitboard occupied) {
    const auto attacked_by = [&](PieceType type) {
        Bitboard attacked;
        for (const auto square : pieces[index_of(type)])
            attacked |= piece_attacks(type, square, occupied);
        return attacked;
    };
    const Bitboard pawns = pieces[index_of(PieceType::pawn)];
    AttackSets sets;
    sets.by_pawns = color == Color::white ? pawn_attacks<Color::white>(pawns)
                                          : pawn_attacks<Color::black>(pawns);
    sets.by_minors =
        sets.by_pawns | attacked_by(PieceType::knight) | attacked_by(PieceType::bishop);
    sets.by_rooks = sets.by_minors | attacked_by(PieceType::rook);
    sets.by_any = sets.by_rooks | attacked_by(PieceType::queen);
    for (const auto square : pieces[index_of(PieceType::king)])
        sets.by_any |= king_attacks(square);
    return sets;
}

}  // namespace core
