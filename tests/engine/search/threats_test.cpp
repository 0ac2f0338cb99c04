#include "engine/search/threats.hpp"

#include "core/fen.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using namespace engine::search;
using core::Bitboard;
using core::PieceType;

namespace {

/// The squares that one of these pieces of the opponent attacks, asked of each square by itself.
Bitboard attacked_by(const core::Position& position, Bitboard pieces) {
    Bitboard attacked;
    for (int index = 0; index < core::Square::count; ++index) {
        const core::Square square{index};
        if (position.attackers(square, position.pieces()) & pieces
            & position.pieces(~position.side_to_move()))
            attacked |= Bitboard{square};
    }
    return attacked;
}

}  // namespace

TEST_CASE("threats are the squares that the opponent's pieces attack", "[threats]") {
    for (const auto& position : tests::random_positions(400, 23)) {
        const Threats threats = threats_in(position);
        const auto pawns = position.pieces(PieceType::pawn);
        const auto minors = pawns | position.pieces(PieceType::knight, PieceType::bishop);
        const auto rooks = minors | position.pieces(PieceType::rook);
        CAPTURE(core::fen(position));
        REQUIRE(threats.by_pawns() == attacked_by(position, pawns));
        REQUIRE(threats.by_minors() == attacked_by(position, minors));
        REQUIRE(threats.by_rooks() == attacked_by(position, rooks));
        REQUIRE(threats.by_any == attacked_by(position, position.pieces()));
    }
}
