#pragma once

#include <array>
#include <optional>

#include "core/position.hpp"

#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/simd.hpp"
#include "engine/score.hpp"

// Positions looked at one by one, as no search does: from nothing.
namespace engine::nnue {

/// The accumulator of a player's view of a position; `to` has room for it and is aligned.
void compute_view(const Network& network,
                  const core::Position& position,
                  core::Color player,
                  const Kernels& kernels,
                  Value* to);

/// The score for the player whose view the first accumulator is.
Score score_of_views(const Network& network,
                     const Kernels& kernels,
                     const Value* own,
                     const Value* other);

/// What a network thinks of a position, for the player to move.
Score evaluate(const Network& network,
               const core::Position& position,
               const Kernels& kernels = best_kernels());

/// For each square, what the score of the player to move would lose without the piece there. For
/// kings, nothing: without a king there is no view.
using Contributions = std::array<std::optional<Score>, core::Square::count>;
Contributions contributions(const Network& network, const core::Position& position);

}  // namespace engine::nnue
