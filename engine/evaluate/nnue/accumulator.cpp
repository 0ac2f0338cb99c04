#include "engine/evaluate/nnue/accumulator.hpp"

#include <algorithm>
#include <cassert>

#include "engine/evaluate/nnue/forward.hpp"

namespace engine::nnue {

namespace {

using core::Color;
using core::Position;

/// Debug builds compare one evaluation in this many with a refresh.
[[maybe_unused]] constexpr unsigned evaluations_per_check = 16;

}  // namespace

AccumulatorStack::AccumulatorStack(const Network& network,
                                   std::size_t plies,
                                   const Kernels& kernels)
    : network_{&network},
      kernels_{&kernels},
      entries_(plies),
      values_{aligned_values(2 * plies * network.hidden_size())},
      cached_values_{aligned_values(perspective_count * network.hidden_size())},
      pawn_pairs_{network, kernels} {
    for (std::size_t i = 0; i < perspective_count; ++i)
        std::copy_n(network.biases(), network.hidden_size(), cached_values(i));
}

void AccumulatorStack::reset(const Position& root) {
    entries_.front() = {};
    entries_.front().position = &root;
}

void AccumulatorStack::push(std::size_t ply,
                            std::optional<core::Move> move,
                            const Position& position) {
    assert(ply > 0 && ply < entries_.size());
    assert(entries_[ply - 1].position);
    Entry& entry = entries_[ply];
    entry.position = &position;
    entry.move = move;
    entry.has_dirty = false;
    entry.is_computed = {};
}

Score AccumulatorStack::evaluate(std::size_t ply) {
    assert(ply < entries_.size() && entries_[ply].position);
    for (const auto color : core::both_colors)
        ensure_computed(ply, color);
#ifndef NDEBUG
    if (evaluations_++ % evaluations_per_check == 0)
        assert(equals_refreshed(ply, Color::white) && equals_refreshed(ply, Color::black));
#endif
    const Position& position = *entries_[ply].position;
    Accumulators accumulators{{values(ply, Color::white), values(ply, Color::black)}};
    if (network_->knows_pawn_pairs())
        for (const auto color : core::both_colors)
            accumulators.pawn_pairs[core::index_of(color)] =
                pawn_pairs_.sum(position, perspective(ply, color));
    return forward(*network_, *kernels_, position, accumulators);
}

Perspective AccumulatorStack::perspective(std::size_t ply, Color color) const {
    return perspective_of(color, entries_[ply].position->king(color));
}

/// Walks back to the nearest ply whose accumulator is computed. If the king has moved to other
/// features on the way, that perspective is refreshed after the move. Then the deltas are applied
/// forwards, ply by ply, so that siblings find a near start.
void AccumulatorStack::ensure_computed(std::size_t ply, Color color) {
    const auto index = core::index_of(color);
    const Perspective now = perspective(ply, color);
    std::size_t from = ply;
    while (!entries_[from].is_computed[index]) {
        if (from == 0 || perspective(from - 1, color) != now) {
            refresh(from, color);
            break;
        }
        --from;
    }
    while (from < ply)
        apply_delta(++from, color);
}

/// Computes the accumulator at a ply from that of the perspective's last refresh, which it replaces
/// in the cache.
void AccumulatorStack::refresh(std::size_t ply, Color color) {
    const Position& position = *entries_[ply].position;
    const Perspective now = perspective(ply, color);
    FeatureList added;
    FeatureList removed;
    for (const auto piece_color : core::both_colors) {
        for (const auto type : core::all_piece_types) {
            const auto add_to = [&](FeatureList& features, core::Bitboard squares) {
                for (const auto square : squares)
                    features.add(
                        network_->feature_weights(feature_index(now, {piece_color, type}, square)));
            };
            core::Bitboard& before =
                cached_pieces_[index_of(now)][core::index_of(piece_color)][core::index_of(type)];
            const core::Bitboard pieces = position.pieces(piece_color, type);
            add_to(added, pieces & ~before);
            add_to(removed, before & ~pieces);
            before = pieces;
        }
    }
    Value* const cached = cached_values(index_of(now));
    const std::size_t size = network_->hidden_size();
    kernels_->update(cached, cached, added.rows(), removed.rows(), size);
    std::copy_n(cached, size, values(ply, color));
    entries_[ply].is_computed[core::index_of(color)] = true;
}

/// What the move to a ply changes: both perspectives need it, often one after the other.
const core::DirtyPieces& AccumulatorStack::dirty_pieces(std::size_t ply) {
    Entry& entry = entries_[ply];
    if (!entry.has_dirty) {
        entry.dirty = entries_[ply - 1].position->dirty_pieces(*entry.move);
        entry.has_dirty = true;
    }
    return entry.dirty;
}

/// Computes the accumulator at a ply from the one before, which has the same perspective.
void AccumulatorStack::apply_delta(std::size_t ply, Color color) {
    assert(entries_[ply - 1].is_computed[core::index_of(color)]);
    const Perspective same = perspective(ply, color);
    const auto row = [&](const core::PieceOnSquare& changed) {
        return network_->feature_weights(feature_index(same, changed.piece, changed.square));
    };
    std::array<const Value*, 2> added{};
    std::array<const Value*, 2> removed{};
    std::size_t added_count = 0;
    std::size_t removed_count = 0;
    if (entries_[ply].move) {
        const auto& dirty = dirty_pieces(ply);
        added_count = dirty.added_count;
        removed_count = dirty.removed_count;
        added[0] = row(dirty.added[0]);
        removed[0] = row(dirty.removed[0]);
        if (removed_count > 1)
            removed[1] = row(dirty.removed[1]);
        if (added_count > 1)
            added[1] = row(dirty.added[1]);
    }
    kernels_->update(values(ply, color), values(ply - 1, color), {added.data(), added_count},
                     {removed.data(), removed_count}, network_->hidden_size());
    entries_[ply].is_computed[core::index_of(color)] = true;
}

/// Whether the accumulator is what a refresh computes.
bool AccumulatorStack::equals_refreshed(std::size_t ply, Color color) {
    alignas(value_alignment) std::array<Value, max_hidden_size> fresh{};
    refresh_accumulator(*network_, *entries_[ply].position, color, *kernels_, fresh.data());
    const Value* const kept = values(ply, color);
    return std::equal(kept, kept + network_->hidden_size(), fresh.begin());
}

}  // namespace engine::nnue
