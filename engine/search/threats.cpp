#include "engine/search/threats.hpp"

#include "core/attacks.hpp"

namespace engine::search {

Threats threats_in(const core::Position& position) {
    using core::PieceType;
    const auto them = ~position.side_to_move();
    const auto occupied = position.pieces();
    const auto attacked_by = [&](PieceType type) {
        core::Bitboard attacked;
        for (const auto square : position.pieces(them, type))
            attacked |= core::piece_attacks(type, square, occupied);
        return attacked;
    };
    Threats threats;
    for (const auto square : position.pieces(them, PieceType::pawn))
        threats.by_pawns |= core::pawn_attacks(them, square);
    threats.by_minors =
        threats.by_pawns | attacked_by(PieceType::knight) | attacked_by(PieceType::bishop);
    threats.by_rooks = threats.by_minors | attacked_by(PieceType::rook);
    threats.by_any =
        threats.by_rooks | attacked_by(PieceType::queen) | core::king_attacks(position.king(them));
    return threats;
}

}  // namespace engine::search
