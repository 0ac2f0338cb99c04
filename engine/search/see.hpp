#pragma once

#include "core/position.hpp"

#include "engine/score.hpp"

namespace engine {

/// Whether the exchanges that a move begins on its target square win at least so much, when
/// both players always take with their least valuable piece and may stop. Pins are not seen.
bool exchange_wins(const core::Position& position, core::Move move, Score least);

}  // namespace engine
