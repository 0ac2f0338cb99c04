#pragma once

#include "core/position.hpp"

#include "engine/evaluate/endings.hpp"
#include "engine/evaluate/nnue/views.hpp"
#include "engine/score.hpp"

namespace engine {

/// What a position is worth to the player to move by the network and by what is known of endings,
/// without search; never a mate, and a draw where nobody can mate.
/// A position and its mirror image with the colours exchanged get the same score.
inline Score evaluate(const nnue::Network& network, const core::Position& position) {
    if (position.has_insufficient_material())
        return draw;
    return bounded(with_endings(position, nnue::evaluate(network, position)));
}

}  // namespace engine
