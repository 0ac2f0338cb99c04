#pragma once

#include "core/position.hpp"

namespace core {

/// Whether a player could mate with the material on the board if the opponent helped. A lone
/// knight, or bishops on one colour, need an opposing piece that blocks the opposing king.
[[nodiscard]] bool has_mating_material(const Position& position, Color player);

}  // namespace core
