#pragma once

#include "core/position.hpp"

#include "engine/evaluate/nnue/views.hpp"
#include "engine/score.hpp"

namespace engine {

/// What a position is worth to the player to move by the network, without search; never a mate,
/// and a draw where nobody can mate.
/// A position and its mirror image with the colours exchanged get the same score.
inline Score evaluate(const nnue::Network& network, const core::Position& position) {
    return position.has_insufficient_material() ? draw : bounded(nnue::evaluate(network, position));
}

}  // namespace engine
