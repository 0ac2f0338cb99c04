#include "engine/evaluate/nnue/accumulator.hpp"

#include <new>

namespace engine::nnue {

namespace {

using core::Color;
using core::Position;

constexpr std::size_t alignment = 64;
constexpr std::size_t most_pieces = 64;

/// A few rows of the network.
class RowList {
public:
    void add(const Value* row) { rows_[count_++] = row; }
    Rows rows() const { return {rows_.data(), count_}; }

private:
    std::array<const Value*, most_pieces> rows_;
    std::size_t count_ = 0;
};

void compute(const Network& network,
             const Position& position,
             Color player,
             const Kernels& kernels,
             Value* to) {
    const View view = view_of(player, position.king(player));
    RowList rows;
    for (const auto color : core::both_colors) {
        for (const auto type : core::all_piece_types) {
            for (const auto square : position.pieces(color, type))
                rows.add(network.row(feature(view, {color, type}, square)));
        }
    }
    kernels.update(to, network.biases(), rows.rows(), {}, network.width());
}

Score score(const Network& network, const Kernels& kernels, const Value* own, const Value* other) {
    return network.score_of(kernels.sum(own, network.own_weights(), network.width())
                            + kernels.sum(other, network.other_weights(), network.width()));
}

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
    entries_[ply] = {&position, move, {}};
}

Score Accumulators::evaluate(std::size_t ply) {
    for (const auto player : core::both_colors)
        bring_up_to_date(ply, player);
    const Color mover = entries_[ply].position->side_to_move();
    return score(*network_, *kernels_, values(ply, mover), values(ply, ~mover));
}

View Accumulators::view(std::size_t ply, Color player) const {
    return view_of(player, entries_[ply].position->king(player));
}

/// Goes back to a position that has been computed and sees all in the same way, and comes back
/// from there step by step, so that its other successors can begin nearer.
void Accumulators::bring_up_to_date(std::size_t ply, Color player) {
    const auto index = core::index_of(player);
    const View now = view(ply, player);
    std::size_t from = ply;
    while (!entries_[from].is_current[index]) {
        if (from == 0 || view(from - 1, player) != now)
            return refresh(ply, player);
        --from;
    }
    while (from < ply)
        step(++from, player);
}

void Accumulators::refresh(std::size_t ply, Color player) {
    compute(*network_, *entries_[ply].position, player, *kernels_, values(ply, player));
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

Score evaluate(const Network& network, const Position& position, const Kernels& kernels) {
    alignas(alignment) std::array<std::array<Value, widest>, 2> views;
    for (const auto player : core::both_colors)
        compute(network, position, player, kernels, views[core::index_of(player)].data());
    const auto mover = core::index_of(position.side_to_move());
    return score(network, kernels, views[mover].data(), views[1 - mover].data());
}

}  // namespace engine::nnue
