#include "engine/evaluate/nnue/forward.hpp"

#include "engine/evaluate/nnue/aligned_values.hpp"
#include "engine/evaluate/nnue/features.hpp"
#include "engine/evaluate/nnue/pawn_pairs.hpp"
#include "engine/evaluate/nnue/threats.hpp"

namespace engine::nnue {

namespace {

using core::Color;
using core::Position;

/// The weight rows of threats as a perspective sees them.
void add_threats(FeatureList& rows,
                 const Network& network,
                 const ThreatList& threats,
                 Perspective perspective) {
    for (const Threat& threat : threats)
        rows.add(network.threat_weights(
            threat.kind, piece_index(perspective, threat.color, threat.type, threat.square)));
}

/// The score for the side to move with these threats.
Score score_of(const Network& network,
               const Kernels& kernels,
               const Position& position,
               const std::array<Inputs, 2>& inputs,
               const ThreatList& threats) {
    const std::size_t bucket = output_bucket_of(position.pieces().count());
    const auto output = [&](Color color, const Value* weights) {
        const Inputs& own = inputs[core::index_of(color)];
        FeatureList rows;
        rows.add(own.pawn_pairs);
        add_threats(rows, network, threats, perspective_of(color, position.king(color)));
        return kernels.screlu_dot(own.accumulator, rows.rows(), weights, network.hidden_size());
    };
    const Color stm = position.side_to_move();
    return network.score_of(
        output(stm, network.stm_weights(bucket)) + output(~stm, network.ntm_weights(bucket)),
        bucket);
}

ThreatList threats_for(const Network& network, const Position& position) {
    return network.knows_threats() ? find_threats(position) : ThreatList{};
}

/// The threats without the piece on a square: those to other pieces stay, but not the checks that
/// it could give, nor what it does to the square in front of a passed pawn.
ThreatList without_piece(const Position& position, const ThreatList& threats, core::Square square) {
    const auto is_to_piece = [](const Threat& threat) {
        return threat.kind != ThreatKind::check && threat.kind != ThreatKind::passed_pawn;
    };
    ThreatList others;
    for (const Threat& threat : threats)
        if (is_to_piece(threat) && threat.square != square)
            others.add(threat);
    PieceSquares pieces = piece_squares(position);
    for (auto& side : pieces)
        for (auto& squares : side)
            squares &= ~core::Bitboard{square};
    for (const Threat& threat : find_threats(pieces))
        if (!is_to_piece(threat))
            others.add(threat);
    return others;
}

/// The inputs of both perspectives, White's first, with room for them.
struct InputPair {
    using Sides = std::array<std::array<Value, max_hidden_size>, 2>;
    alignas(value_alignment) Sides accumulators{};
    alignas(value_alignment) Sides pawn_pairs{};

    void compute(const Network& network, const Position& position, const Kernels& kernels) {
        for (const auto color : core::both_colors) {
            refresh_accumulator(network, position, color, kernels,
                                accumulators[core::index_of(color)].data());
            Value* const sums = pawn_pairs[core::index_of(color)].data();
            change_pawn_pairs(network, kernels, perspective_of(color, position.king(color)),
                              {{}, sums}, {pawns_of(position), sums});
        }
    }
    std::array<Inputs, 2> pointers() const {
        return {Inputs{accumulators[0].data(), pawn_pairs[0].data()},
                Inputs{accumulators[1].data(), pawn_pairs[1].data()}};
    }
};

void add_pawn_pairs(FeatureList& features, const Network& network, const PawnPairs& pairs) {
    static_assert(FeatureList::max_size >= PawnPairs::max_size);
    for (const auto pair : pairs)
        features.add(network.pawn_pair_weights(pair));
}

/// Takes a piece out of the inputs.
void remove_piece(InputPair& inputs,
                  const Network& network,
                  const Kernels& kernels,
                  const Position& position,
                  core::Square square) {
    const auto piece = position.piece_at_unchecked(square);
    const Pawns pawns = pawns_of(position);
    const Pawns square_alone{core::Bitboard{square}, core::Bitboard{square}};
    for (const auto color : core::both_colors) {
        const Perspective perspective = perspective_of(color, position.king(color));
        FeatureList removed;
        removed.add(network.feature_weights(feature_index(perspective, piece, square)));
        Value* const accumulator = inputs.accumulators[core::index_of(color)].data();
        kernels.update(accumulator, accumulator, {}, removed.rows(), network.hidden_size());
        Value* const sums = inputs.pawn_pairs[core::index_of(color)].data();
        change_pawn_pairs(network, kernels, perspective, {pawns, sums},
                          {pawns_without(pawns, square_alone), sums});
    }
}

}  // namespace

void change_pawn_pairs(const Network& network,
                       const Kernels& kernels,
                       Perspective perspective,
                       const PawnPairSums& from,
                       const PawnPairSums& to) {
    FeatureList added;
    FeatureList removed;
    if (network.knows_pawn_pairs()) {
        const Pawns come = pawns_without(to.pawns, from.pawns);
        const Pawns go = pawns_without(from.pawns, to.pawns);
        add_pawn_pairs(added, network, {to.pawns, come, perspective});
        add_pawn_pairs(removed, network, {from.pawns, go, perspective});
    }
    kernels.update(to.values, from.values, added.rows(), removed.rows(), network.hidden_size());
}

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
              const Position& position,
              const std::array<Inputs, 2>& inputs) {
    return score_of(network, kernels, position, inputs, threats_for(network, position));
}

Score evaluate(const Network& network, const Position& position, const Kernels& kernels) {
    InputPair inputs;
    inputs.compute(network, position, kernels);
    return forward(network, kernels, position, inputs.pointers());
}

Contributions contributions(const Network& network, const Position& position) {
    const Kernels& kernels = best_kernels();
    InputPair with;
    with.compute(network, position, kernels);
    // The output bucket stays, the position's: the weights of another one would hide what the piece
    // contributes. So do the threats to other pieces.
    const ThreatList threats = threats_for(network, position);
    const Score score = score_of(network, kernels, position, with.pointers(), threats);
    Contributions result;
    for (const auto square : position.pieces()) {
        if (position.piece_at_unchecked(square).type() == core::PieceType::king)
            continue;
        InputPair without = with;
        remove_piece(without, network, kernels, position, square);
        result[static_cast<std::size_t>(square.index())] =
            score
            - score_of(
                network, kernels, position, without.pointers(),
                network.knows_threats() ? without_piece(position, threats, square) : threats);
    }
    return result;
}

}  // namespace engine::nnue
