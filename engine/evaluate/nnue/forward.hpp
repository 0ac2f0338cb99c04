#pragma once

#include <array>
#include <optional>

#include "core/position.hpp"

#include "engine/evaluate/nnue/features.hpp"
#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/pawn_pairs.hpp"
#include "engine/evaluate/nnue/simd.hpp"
#include "engine/score.hpp"

// Inference: the accumulator of a position from scratch, and the output layer.
namespace engine::nnue {

/// Adds the weight rows of the pairs of `pawns` with at least one among `changed`; none if the network
/// does not know pawn pairs.
void add_pawn_pairs(FeatureList& features,
                    const Network& network,
                    const Pawns& pawns,
                    const Pawns& changed,
                    Perspective perspective);

/// Computes the accumulator of one side's perspective from scratch into `accumulator`, which has
/// room for hidden_size() values and is aligned to 64 bytes.
void refresh_accumulator(const Network& network,
                         const core::Position& position,
                         core::Color color,
                         const Kernels& kernels,
                         Value* accumulator);

/// The accumulator of each side's perspective, by colour, without threats.
using Accumulators = std::array<const Value*, 2>;

/// Adds a position's threats to its accumulators and computes the output layer: the score for the
/// side to move.
Score forward(const Network& network,
              const Kernels& kernels,
              const core::Position& position,
              const Accumulators& accumulators);

/// The network's score of a position for the side to move, from scratch.
Score evaluate(const Network& network,
               const core::Position& position,
               const Kernels& kernels = best_kernels());

/// For each square, by how much the score of the side to move drops without the piece on it.
/// Empty squares and kings have none: a perspective needs its king.
using Contributions = std::array<std::optional<Score>, core::Square::count>;
Contributions contributions(const Network& network, const core::Position& position);

}  // namespace engine::nnue
