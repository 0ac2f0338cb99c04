#include "core/mating_material.hpp"

namespace core {

namespace {

bool all_on_one_color(Bitboard pieces) {
    constexpr Bitboard light = Bitboard::light_squares();
    return (pieces & light).empty() || (pieces & ~light).empty();
}

}  // namespace

bool has_mating_material(const Position& position, Color player) {
    const Bitboard own = position.pieces(player);
    const Bitboard others = position.pieces(~player) & ~position.pieces(PieceType::king);
    const Bitboard knights = own & position.pieces(PieceType::knight);
    const Bitboard bishops = own & position.pieces(PieceType::bishop);
    const Bitboard strong = own & ~knights & ~bishops & ~position.pieces(PieceType::king);
    if (strong)
        return true;
    // A queen does not help as a blocker: she can always take the knight or interpose.
    if (knights)
        return (knights | bishops).more_than_one()
            || !(others & ~position.pieces(PieceType::queen)).empty();
    if (bishops)
        return !all_on_one_color(position.pieces(PieceType::bishop))
            || !position.pieces(PieceType::pawn, PieceType::knight).empty();
    return false;
}

}  // namespace core
