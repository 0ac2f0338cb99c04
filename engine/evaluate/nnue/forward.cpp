#include "engine/evaluate/nnue/forward.hpp"

#include "engine/evaluate/nnue/features.hpp"

namespace engine::nnue {

namespace {

using core::Color;
using core::Position;

/// The accumulators of both perspectives, White's first.
struct AccumulatorPair {
    alignas(value_alignment) std::array<std::array<Value, max_hidden_size>, 2> values{};

    void refresh(const Network& network, const Position& position, const Kernels& kernels) {
        for (const auto color : core::both_colors)
            refresh_accumulator(network, position, color, kernels,
                                values[core::index_of(color)].data());
    }
    Score score(const Network& network,
                const Kernels& kernels,
                Color side_to_move,
                std::size_t bucket) const {
        const auto stm = core::index_of(side_to_move);
        return forward(network, kernels, values[stm].data(), values[1 - stm].data(), bucket);
    }
};

}  // namespace

void refresh_accumulator(const Network& network,
                         const Position& position,
                         Color color,
                         const Kernels& kernels,
                         Value* accumulator) {
    const Perspective perspective = perspective_of(color, position.king(color));
    FeatureList active;
    for (const auto piece_color : core::both_colors) {
        for (const auto type : core::all_piece_types) {
            for (const auto square : position.pieces(piece_color, type))
                active.add(network.feature_weights(
                    feature_index(perspective, {piece_color, type}, square)));
        }
    }
    kernels.update(accumulator, network.biases(), active.rows(), {}, network.hidden_size());
}

Score forward(const Network& network,
              const Kernels& kernels,
              const Value* stm_accumulator,
              const Value* ntm_accumulator,
              std::size_t bucket) {
    const auto size = network.hidden_size();
    const auto sum = kernels.screlu_dot(stm_accumulator, network.stm_weights(bucket), size)
                   + kernels.screlu_dot(ntm_accumulator, network.ntm_weights(bucket), size);
    return network.score_of(sum, bucket);
}

Score evaluate(const Network& network, const Position& position, const Kernels& kernels) {
    AccumulatorPair accumulators;
    accumulators.refresh(network, position, kernels);
    return accumulators.score(network, kernels, position.side_to_move(),
                              output_bucket_of(position.pieces().count()));
}

Contributions contributions(const Network& network, const Position& position) {
    const Kernels& kernels = best_kernels();
    const Color stm = position.side_to_move();
    AccumulatorPair with;
    with.refresh(network, position, kernels);
    // The bucket stays: the output weights of another one would hide what the piece contributes.
    const std::size_t bucket = output_bucket_of(position.pieces().count());
    const Score score = with.score(network, kernels, stm, bucket);
    Contributions result;
    for (const auto square : position.pieces()) {
        const auto piece = *position.piece_on(square);
        if (piece.type() == core::PieceType::king)
            continue;
        AccumulatorPair without;
        for (const auto color : core::both_colors) {
            const Perspective perspective = perspective_of(color, position.king(color));
            const auto index = core::index_of(color);
            FeatureList removed;
            removed.add(network.feature_weights(feature_index(perspective, piece, square)));
            kernels.update(without.values[index].data(), with.values[index].data(), {},
                           removed.rows(), network.hidden_size());
        }
        result[static_cast<std::size_t>(square.index())] =
            score - without.score(network, kernels, stm, bucket);
    }
    return result;
}

}  // namespace engine::nnue
