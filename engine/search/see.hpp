#pragma once

#include "core/position.hpp"

#include "engine/score.hpp"

namespace engine::search {

/// Static exchange evaluation: whether the captures on the target square of a move win at least the
/// threshold, if both players capture with their least valuable piece and may stop at any time.
/// Ignores pins.
bool see_ge(const core::Position& position, core::Move move, Score threshold);

}  // namespace engine::search
