#include "engine/analysis/explain/material.hpp"

#include <array>

namespace engine::explain {

int value_of(core::PieceType type) {
    constexpr std::array values{1, 3, 3, 5, 9, 0};
    return values[core::index_of(type)];
}

int balance(const core::Position& position, core::Color player) {
    int sum = 0;
    for (const auto type : core::all_piece_types)
        sum += value_of(type)
             * (position.pieces(player, type).count() - position.pieces(~player, type).count());
    return sum;
}

core::Square victim_square(core::Move move) {
    return move.kind() == core::Move::Kind::en_passant
             ? core::Square::at(move.to().file(), move.from().rank())
             : move.to();
}

}  // namespace engine::explain
