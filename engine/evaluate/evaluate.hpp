#pragma once

#include "core/position.hpp"

#include "engine/score.hpp"

namespace engine {

/// What a position is worth to the player to move, by rules of thumb and without search. A
/// position and its mirror image with the colours exchanged get the same score.
Score evaluate(const core::Position& position);

}  // namespace engine
