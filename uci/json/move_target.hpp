#pragma once

#include "core/castling.hpp"
#include "core/move.hpp"

namespace uci::json {

/// The square that a client names as the target of a move: for castling, where the king goes.
inline core::Square move_target(core::Move move) {
    if (move.kind() != core::Move::Kind::castling)
        return move.to();
    const auto player = move.from().rank() == 0 ? core::Color::white : core::Color::black;
    return core::castled_king(player, core::side_of_castling(move));
}

}  // namespace uci::json
