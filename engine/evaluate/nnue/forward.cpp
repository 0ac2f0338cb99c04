#include "engine/evaluate/nnue/forward.hpp"

#include "engine/evaluate/nnue/aligned_values.hpp"
#include "engine/evaluate/nnue/features.hpp"
#include "engine/evaluate/nnue/pawn_pairs.hpp"
#include "engine/evaluate/nnue/threats.hpp"

namespace engine::nnue {

namespace {

using core::Color;
using core::Position;

/// Room for an accumulator. Not initialised: clearing it would cost more than an update.
struct Scratch {  // NOLINT(cppcoreguidelines-pro-type-member-init)
    alignas(value_alignment) std::array<Value, max_hidden_size> values;
};

/// The weight rows of threats as a perspective sees them.
FeatureList threat_rows(const Network& network,
                        const ThreatList& threats,
                        Perspective perspective) {
    FeatureList rows;
    for (const Threat& threat : threats)
        rows.add(network.threat_weights(
            threat.kind, piece_index(perspective, threat.color, threat.type, threat.square)));
    return rows;
}

/// The score for the side to move with these threats.
Score score_of(const Network& network,
               const Kernels& kernels,
               const Position& position,
               const Accumulators& accumulators,
               const ThreatList& threats) {
    const std::size_t bucket = output_bucket_of(position.pieces().count());
    const auto size = network.hidden_size();
    const auto output = [&](Color color, const Value* weights) {
        const Value* const accumulator = accumulators[core::index_of(color)];
        if (threats.empty())
            return kernels.screlu_dot(accumulator, weights, size);
        const Perspective perspective = perspective_of(color, position.king(color));
        const FeatureList rows = threat_rows(network, threats, perspective);
        Scratch sum;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        kernels.update(sum.values.data(), accumulator, rows.rows(), {}, size);
        return kernels.screlu_dot(sum.values.data(), weights, size);
    };
    const Color stm = position.side_to_move();
    return network.score_of(
        output(stm, network.stm_weights(bucket)) + output(~stm, network.ntm_weights(bucket)),
        bucket);
}

ThreatList threats_for(const Network& network, const Position& position) {
    return network.knows_threats() ? find_threats(position) : ThreatList{};
}

/// The threats without the piece on a square: those to other pieces stay, but not the checks that it
/// could give, nor what it does to the square in front of a passed pawn.
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

/// The accumulators of both perspectives, White's first.
struct AccumulatorPair {
    alignas(value_alignment) std::array<std::array<Value, max_hidden_size>, 2> values{};

    void refresh(const Network& network, const Position& position, const Kernels& kernels) {
        for (const auto color : core::both_colors)
            refresh_accumulator(network, position, color, kernels,
                                values[core::index_of(color)].data());
    }
    Accumulators pointers() const { return {values[0].data(), values[1].data()}; }
};

}  // namespace

void add_pawn_pairs(FeatureList& features,
                    const Network& network,
                    const Pawns& pawns,
                    const Pawns& changed,
                    Perspective perspective) {
    static_assert(FeatureList::max_size >= 32 + PawnPairs::max_size);
    if (!network.knows_pawn_pairs())
        return;
    for (const auto pair : PawnPairs{pawns, changed, perspective})
        features.add(network.pawn_pair_weights(pair));
}

void refresh_accumulator(const Network& network,
                         const Position& position,
                         Color color,
                         const Kernels& kernels,
                         Value* accumulator) {
    const Perspective perspective = perspective_of(color, position.king(color));
    FeatureList active;
    add_pawn_pairs(active, network, pawns_of(position), pawns_of(position), perspective);
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
              const Accumulators& accumulators) {
    return score_of(network, kernels, position, accumulators, threats_for(network, position));
}

Score evaluate(const Network& network, const Position& position, const Kernels& kernels) {
    AccumulatorPair accumulators;
    accumulators.refresh(network, position, kernels);
    return forward(network, kernels, position, accumulators.pointers());
}

Contributions contributions(const Network& network, const Position& position) {
    const Kernels& kernels = best_kernels();
    AccumulatorPair with;
    with.refresh(network, position, kernels);
    // The output bucket stays, the position's: the weights of another one would hide what the piece
    // contributes. So do the threats to other pieces.
    const ThreatList threats = threats_for(network, position);
    const Score score = score_of(network, kernels, position, with.pointers(), threats);
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
            Pawns pawn{};
            if (piece.type() == core::PieceType::pawn)
                pawn[core::index_of(piece.color())] = core::Bitboard{square};
            add_pawn_pairs(removed, network, pawns_of(position), pawn, perspective);
            kernels.update(without.values[index].data(), with.values[index].data(), {},
                           removed.rows(), network.hidden_size());
        }
        result[static_cast<std::size_t>(square.index())] =
            score
            - score_of(
                network, kernels, position, without.pointers(),
                network.knows_threats() ? without_piece(position, threats, square) : threats);
    }
    return result;
}

}  // namespace engine::nnue
