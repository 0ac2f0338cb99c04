#include "engine/evaluate/nnue/views.hpp"

#include "engine/evaluate/nnue/row_list.hpp"

namespace engine::nnue {

namespace {

using core::Color;
using core::Position;

/// The accumulators of both views, White's first.
struct BothViews {
    alignas(64) std::array<std::array<Value, widest>, 2> values;

    Score score(const Network& network, const Kernels& kernels, Color player) const {
        const auto own = core::index_of(player);
        return score_of_views(network, kernels, values[own].data(), values[1 - own].data());
    }
};

void compute_both(const Network& network,
                  const Position& position,
                  const Kernels& kernels,
                  BothViews& views) {
    for (const auto player : core::both_colors)
        compute_view(network, position, player, kernels,
                     views.values[core::index_of(player)].data());
}

}  // namespace

void compute_view(const Network& network,
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

Score score_of_views(const Network& network,
                     const Kernels& kernels,
                     const Value* own,
                     const Value* other) {
    return network.score_of(kernels.sum(own, network.own_weights(), network.width())
                            + kernels.sum(other, network.other_weights(), network.width()));
}

Score evaluate(const Network& network, const Position& position, const Kernels& kernels) {
    BothViews views;
    compute_both(network, position, kernels, views);
    return views.score(network, kernels, position.side_to_move());
}

Contributions contributions(const Network& network, const Position& position) {
    const Kernels& kernels = best_kernels();
    const Color mover = position.side_to_move();
    BothViews with;
    compute_both(network, position, kernels, with);
    const Score score = with.score(network, kernels, mover);
    Contributions result;
    for (const auto square : position.pieces()) {
        const auto piece = *position.piece_on(square);
        if (piece.type() == core::PieceType::king)
            continue;
        BothViews without;
        for (const auto player : core::both_colors) {
            const View view = view_of(player, position.king(player));
            const auto index = core::index_of(player);
            RowList gone;
            gone.add(network.row(feature(view, piece, square)));
            kernels.update(without.values[index].data(), with.values[index].data(), {}, gone.rows(),
                           network.width());
        }
        result[static_cast<std::size_t>(square.index())] =
            score - without.score(network, kernels, mover);
    }
    return result;
}

}  // namespace engine::nnue
