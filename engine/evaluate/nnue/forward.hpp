#pragma once

#include <array>
#include <optional>

#include "core/position.hpp"

#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/simd.hpp"
#include "engine/score.hpp"

// Inference: the accumulator of a position from scratch, and the output layer.
namespace engine::nnue {

/// Computes the accumulator of one side's perspective from scratch into `accumulator`, without
/// threats and pawn pairs; it has room for hidden_size() values and is aligned to 64 bytes.
void refresh_accumulator(const Network& network,
                         const core::Position& position,
                         core::Color color,
                         const Kernels& kernels,
                         Value* accumulator);

/// The sums of weights that are kept for each side's perspective, by colour.
struct Accumulators {
    std::array<const Value*, 2> pieces{};      ///< with the hidden biases
    std::array<const Value*, 2> pawn_pairs{};  ///< null for a network that does not know them
};

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
