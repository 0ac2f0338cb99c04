#pragma once

#include "core/move.hpp"
#include "core/position.hpp"

namespace core {

/// The legal moves of the side to move, in no particular order.
[[nodiscard]] MoveList legal_moves(const Position& position, MoveKinds kinds = MoveKinds::all);

/// The number of legal moves, counted without making a list.
[[nodiscard]] int count_legal_moves(const Position& position);

/// Whether a move is legal here. Any 16 bits are allowed, such as a TT move.
[[nodiscard]] bool is_legal(const Position& position, Move move);

}  // namespace core
