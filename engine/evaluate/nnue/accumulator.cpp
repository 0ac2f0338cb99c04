#include "engine/evaluate/nnue/accumulator.hpp"

#include <new>

#include "engine/evaluate/nnue/row_list.hpp"
#include "engine/evaluate/nnue/views.hpp"

namespace engine::nnue {

namespace {

using core::Color;
using core::Position;

constexpr std::size_t alignment = 64;

}  // namespace

void Accumulators::Free::operator()(Value* values) const {
    ::operator delete[](values, std::align_val_t{alignment});
}

Accumulators::Accumulators(const Network& network, std::size_t plies)
    : network_{&network},
      kernels_{&best_kernels()},
      entries_(plies),
      values_{static_cast<Value*>(::operator new[](2 * plies * network.width() * sizeof(Value),
                                                   std::align_val_t{alignment}))} {}

void Accumulators::begin(const Position& root) {
    entries_.front() = {&root, std::nullopt, {}};
}

void Accumulators::follow(std::size_t ply,
                          std::optional<core::Move> move,
                          const Position& position) {
    Entry& entry = entries_[ply];
    entry.position = &position;
    entry.move = move;
    entry.is_current = {};
}

Score Accumulators::evaluate(std::size_t ply) {
    for (const auto player : core::both_colors)
        bring_up_to_date(ply, player);
    const Color mover = entries_[ply].position->side_to_move();
    return score_of_views(*network_, *kernels_, values(ply, mover), values(ply, ~mover));
}

View Accumulators::view(std::size_t ply, Color player) const {
    return view_of(player, entries_[ply].position->king(player));
}

/// Goes back to a position that has been computed and sees all in the same way, or to the first that
/// sees it so and is computed now, and comes back from there step by step, so that its other
/// successors can begin nearer.
void Accumulators::bring_up_to_date(std::size_t ply, Color player) {
    const auto index = core::index_of(player);
    const View now = view(ply, player);
    std::size_t from = ply;
    while (!entries_[from].is_current[index]) {
        if (from == 0 || view(from - 1, player) != now) {
            refresh(from, player);
            break;
        }
        --from;
    }
    while (from < ply)
        step(++from, player);
}

void Accumulators::refresh(std::size_t ply, Color player) {
    compute_view(*network_, *entries_[ply].position, player, *kernels_, values(ply, player));
    entries_[ply].is_current[core::index_of(player)] = true;
}

/// From the position before; both see the board in the same way.
void Accumulators::step(std::size_t ply, Color player) {
    const View same = view(ply, player);
    RowList added;
    RowList removed;
    Entry& entry = entries_[ply];
    if (entry.move) {
        const auto effect = entries_[ply - 1].position->effect_of(*entry.move);
        for (const auto& [piece, square] : effect.arrives())
            added.add(network_->row(feature(same, piece, square)));
        for (const auto& [piece, square] : effect.leaves())
            removed.add(network_->row(feature(same, piece, square)));
    }
    kernels_->update(values(ply, player), values(ply - 1, player), added.rows(), removed.rows(),
                     network_->width());
    entry.is_current[core::index_of(player)] = true;
}

}  // namespace engine::nnue
