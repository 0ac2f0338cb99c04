#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/position.hpp"

#include "engine/evaluate/nnue/aligned_values.hpp"
#include "engine/evaluate/nnue/features.hpp"
#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/pawn_pairs.hpp"
#include "engine/evaluate/nnue/simd.hpp"

namespace engine::nnue {

/// A pawn hash table: the sums of the weights of pawn pairs, kept for the pawn structures met last,
/// because most moves of a search leave the pawns as they are. Takes (4 N + 32) KB, N being the
/// network's hidden_size(). Belongs to one thread.
class PawnPairCache {
public:
    /// The network must outlive the cache.
    PawnPairCache(const Network& network, const Kernels& kernels);

    /// The N sums for the pawns of a position as a perspective sees them, until the next call for
    /// the same colour.
    const Value* sums(const core::Position& position, Perspective perspective);

private:
    static constexpr std::size_t entries_per_view = 512;
    static constexpr std::size_t no_pawns = view_count * entries_per_view;
    static constexpr std::size_t entry_count = no_pawns + 1;

    Value* values(std::size_t entry) { return values_.get() + entry * network_->hidden_size(); }

    const Network* network_;
    const Kernels* kernels_;
    std::vector<Pawns> pawns_;  ///< of each entry
    AlignedValues values_;
    /// The entry that was asked for last in each view: the next structure is often like it.
    std::array<std::size_t, view_count> last_{};
};

}  // namespace engine::nnue
