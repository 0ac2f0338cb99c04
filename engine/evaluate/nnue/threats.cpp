#include "engine/evaluate/nnue/threats.hpp"

#include "core/attacks.hpp"

namespace engine::nnue {

namespace {

using core::Bitboard;
using core::Color;
using core::PieceType;

/// What a side attacks: with pawns; with pawns and minor pieces; with these and rooks; with all.
struct Attacks {
    Bitboard by_pawns;
    Bitboard by_minors;
    Bitboard by_rooks;
    Bitboard by_any;
};

Bitboard pawn_attacks(Color color, Bitboard pawns) {
    return color == Color::white ? core::pawn_attacks<Color::white>(pawns)
                                 : core::pawn_attacks<Color::black>(pawns);
}

Attacks attacks_of(Color color, const PieceSquares& pieces, Bitboard occupied) {
    const auto& own = pieces[core::index_of(color)];
    const auto attacked_by = [&](PieceType type) {
        Bitboard attacked;
        for (const auto square : own[core::index_of(type)])
            attacked |= core::piece_attacks(type, square, occupied);
        return attacked;
    };
    Attacks attacks;
    attacks.by_pawns = pawn_attacks(color, own[core::index_of(PieceType::pawn)]);
    attacks.by_minors =
        attacks.by_pawns | attacked_by(PieceType::knight) | attacked_by(PieceType::bishop);
    attacks.by_rooks = attacks.by_minors | attacked_by(PieceType::rook);
    attacks.by_any = attacks.by_rooks | attacked_by(PieceType::queen);
    for (const auto square : own[core::index_of(PieceType::king)])
        attacks.by_any |= core::king_attacks(square);
    return attacks;
}

}  // namespace

ThreatenedSquares threatened_squares(const PieceSquares& pieces) {
    std::array<Bitboard, 2> own;
    for (const auto color : core::both_colors)
        for (const Bitboard squares : pieces[core::index_of(color)])
            own[core::index_of(color)] |= squares;
    const Bitboard occupied = own[0] | own[1];
    const std::array attacks{attacks_of(Color::white, pieces, occupied),
                             attacks_of(Color::black, pieces, occupied)};
    ThreatenedSquares threatened;
    for (const auto color : core::both_colors) {
        const auto us = core::index_of(color);
        const Attacks& theirs = attacks[1 - us];
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
