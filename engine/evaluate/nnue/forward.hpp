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

/// The sums of the weights of some pawns' pairs, as one perspective sees them.
struct PawnPairSums {
    Pawns pawns;
    Value* values = nullptr;  ///< hidden_size() of them, aligned to 64 bytes
};

/// Computes the sums for some pawns from those for others: adds the pairs that come and subtracts
/// those that go. Both may be in the same place.
void change_pawn_pairs(const Network& network,
                       const Kernels& kernels,
                       Perspective perspective,
                       const PawnPairSums& from,
                       const PawnPairSums& to);

/// Computes the accumulator of one side's perspective, the sums of its pieces' weights, from
/// scratch into `accumulator`, which has room for hidden_size() values and is aligned to 64 bytes.
void refresh_accumulator(const Network& network,
                         const core::Position& position,
                         core::Color color,
                         const Kernels& kernels,
                         Value* accumulator);

/// What a side's perspective sees, except threats: both are aligned to 64 bytes.
struct Inputs {
    const Value* accumulator = nullptr;  ///< of the pieces
    const Value* pawn_pairs = nullptr;   ///< the sums of their weights
};

/// Adds a position's threats to the inputs of both sides, White's first, and computes the output
/// layer: the score for the side to move.
Score forward(const Network& network,
              const Kernels& kernels,
              const core::Position& position,
              const std::array<Inputs, 2>& inputs);

/// The network's score of a position for the side to move, from scratch.
Score evaluate(const Network& network,
               const core::Position& position,
               const Kernels& kernels = best_kernels());

/// For each square, by how much the score of the side to move drops without the piece on it.
/// Empty squares and kings have none: a perspective needs its king.
using Contributions = std::array<std::optional<Score>, core::Square::count>;
Contributions contributions(const Network& network, const core::Position& position);

}  // namespace engine::nnue
