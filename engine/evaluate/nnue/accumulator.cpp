#include "engine/evaluate/nnue/accumulator.hpp"

#include <algorithm>
#include <cassert>

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
    return forward(*network_, *kernels_, *entries_[ply].position,
                   {inputs(ply, Color::white), inputs(ply, Color::black)});
}

Inputs AccumulatorStack::inputs(std::size_t ply, Color color) {
    return {values(ply, color), pawn_pairs_.sums(*entries_[ply].position, perspective(ply, color))};
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
    FeatureList added;
    FeatureList removed;
    if (entries_[ply].move) {
        const auto& dirty = dirty_pieces(ply);
        for (std::size_t i = 0; i < dirty.added_count; ++i)
            added.add(row(dirty.added[i]));
        for (std::size_t i = 0; i < dirty.removed_count; ++i)
            removed.add(row(dirty.removed[i]));
    }
    kernels_->update(values(ply, color), values(ply - 1, color), added.rows(), removed.rows(),
                     network_->hidden_size());
    entries_[ply].is_computed[core::index_of(color)] = true;
}

/// Whether the accumulator and the sums of the pawn pairs are those computed from scratch.
bool AccumulatorStack::equals_refreshed(std::size_t ply, Color color) {
    const Position& position = *entries_[ply].position;
    const std::size_t size = network_->hidden_size();
    const auto is_fresh = [&](const Value* kept, const auto& fresh) {
        return std::equal(kept, kept + size, fresh.begin());
    };
    alignas(value_alignment) std::array<Value, max_hidden_size> accumulator{};
    alignas(value_alignment) std::array<Value, max_hidden_size> pairs{};
    refresh_accumulator(*network_, position, color, *kernels_, accumulator.data());
    change_pawn_pairs(*network_, *kernels_, perspective(ply, color), {{}, pairs.data()},
                      {pawns_of(position), pairs.data()});
    const Inputs kept = inputs(ply, color);
    return is_fresh(kept.accumulator, accumulator) && is_fresh(kept.pawn_pairs, pairs);
}

}  // namespace engine::nnue
