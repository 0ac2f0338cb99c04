#pragma once

#include "core/move.hpp"
#include "core/position.hpp"

namespace core {

/// Which moves: noisy ones gain material (captures and promotions), quiet ones are the others.
enum class MoveKinds : std::uint8_t { all, noisy, quiet };

/// The legal moves of the player to move, in no order that means anything.
MoveList legal_moves(const Position& position, MoveKinds kinds = MoveKinds::all);

/// How many legal moves there are, counted without writing them down.
int count_legal_moves(const Position& position);

/// Whether a move is one of the legal moves; any 16 bits may be asked about.
bool is_legal(const Position& position, Move move);

}  // namespace core
