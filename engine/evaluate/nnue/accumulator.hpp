#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/position.hpp"

#include "engine/evaluate/nnue/aligned_values.hpp"
#include "engine/evaluate/nnue/features.hpp"
#include "engine/evaluate/nnue/forward.hpp"
#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/pawn_pair_cache.hpp"
#include "engine/evaluate/nnue/simd.hpp"
#include "engine/score.hpp"

namespace engine::nnue {

/// The accumulators of the positions of one line of play, by ply. Updates are lazy: a move is only
/// recorded, and the accumulator is computed when a position is evaluated. A refresh cache (Finny
/// tables) serves king moves that change all features: the last accumulator with the new ones is
/// brought up to date instead of being computed from nothing. Belongs to one thread.
class AccumulatorStack {
public:
    /// For lines of that many plies. The network must outlive the stack.
    AccumulatorStack(const Network& network,
                     std::size_t plies,
                     const Kernels& kernels = best_kernels());

    /// Starts a line. The positions given here and to push() must not change while they are on it.
    void reset(const core::Position& root);
    /// Records the position at a ply and the move that led to it; no move means a null move.
    void push(std::size_t ply, std::optional<core::Move> move, const core::Position& position);
    /// The network's score of the position at a ply, for the side to move.
    Score evaluate(std::size_t ply);

private:
    struct Entry {
        const core::Position* position = nullptr;
        std::optional<core::Move> move;  ///< that led here
        core::DirtyPieces dirty{};       ///< what it changed, once one perspective has needed it
        bool has_dirty = false;
        std::array<bool, 2> is_computed{};
    };

    /// Pieces by colour and type.
    using Pieces = std::array<std::array<core::Bitboard, core::all_piece_types.size()>, 2>;

    Value* values(std::size_t ply, core::Color color) {
        return values_.get() + (2 * ply + core::index_of(color)) * network_->hidden_size();
    }
    Value* cached_values(std::size_t perspective) {
        return cached_values_.get() + perspective * network_->hidden_size();
    }
    Perspective perspective(std::size_t ply, core::Color color) const;
    void ensure_computed(std::size_t ply, core::Color color);
    void refresh(std::size_t ply, core::Color color);
    void apply_delta(std::size_t ply, core::Color color);
    const core::DirtyPieces& dirty_pieces(std::size_t ply);
    bool equals_refreshed(std::size_t ply, core::Color color);

    Inputs inputs(std::size_t ply, core::Color color);

    const Network* network_;
    const Kernels* kernels_;
    std::vector<Entry> entries_;
    AlignedValues values_;
    /// The refresh cache: for each perspective the pieces of its last refresh, and their
    /// accumulator.
    std::array<Pieces, perspective_count> cached_pieces_{};
    AlignedValues cached_values_;
    PawnPairCache pawn_pairs_;
    [[maybe_unused]] unsigned evaluations_ = 0;  ///< counted in debug builds
};

}  // namespace engine::nnue
