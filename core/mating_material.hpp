#pragma once

#include "core/position.hpp"

namespace core {

/// Whether a player has the material to mate the opponent, however badly that one may play: a
/// knight or bishops of one colour need a piece of the opponent's to stand in its king's way.
bool has_mating_material(const Position& position, Color player);

}  // namespace core
