#pragma once

#include "core/move.hpp"
#include "core/position.hpp"

// Material as players count it.
namespace engine::explain {

/// Pawn 1, knight and bishop 3, rook 5, queen 9, king 0.
int value_of(core::PieceType type);

/// The material of a player less that of the opponent, in pawns.
int balance(const core::Position& position, core::Color player);

/// Where a captured piece stands, which is another square than the target en passant.
core::Square victim_square(core::Move move);

}  // namespace engine::explain
