#include "engine/evaluate/nnue/threats.hpp"

#include "core/attack_sets.hpp"

namespace engine::nnue {

using core::Bitboard;
using core::Color;
using core::PieceType;

ThreatenedSquares threatened_squares(const PieceSquares& pieces) {
    std::array<Bitboard, 2> own;
    for (const auto color : core::both_colors)
        for (const Bitboard squares : pieces[core::index_of(color)])
            own[core::index_of(color)] |= squares;
    const Bitboard occupied = own[0] | own[1];
    const std::array attacks{core::attack_sets(Color::white, pieces[0], occupied),
                             core::attack_sets(Color::black, pieces[1], occupied)};
    ThreatenedSquares threatened;
    for (const auto color : core::both_colors) {
        const auto us = core::index_of(color);
        const auto& theirs = attacks[1 - us];
        const auto of = [&](PieceType type) { return pieces[us][core::index_of(type)]; };
        threatened[0] |= own[us] & ~of(PieceType::king) & theirs.by_any & ~attacks[us].by_any;
        threatened[1] |= ((of(PieceType::knight) | of(PieceType::bishop)) & theirs.by_pawns)
                       | (of(PieceType::rook) & theirs.by_minors)
                       | (of(PieceType::queen) & theirs.by_rooks);
    }
    return threatened;
}

ThreatenedSquares threatened_squares(const core::Position& position) {
    PieceSquares pieces;
    for (const auto color : core::both_colors)
        for (const auto type : core::all_piece_types)
            pieces[core::index_of(color)][core::index_of(type)] = position.pieces(color, type);
    return threatened_squares(pieces);
}

}  // namespace engine::nnue
