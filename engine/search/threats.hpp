#pragma once

#include "core/attack_sets.hpp"
#include "core/position.hpp"

namespace engine::search {

/// The squares that the opponent of the side to move attacks.
using Threats = core::AttackSets;

Threats threats_in(const core::Position& position);

}  // namespace engine::search
