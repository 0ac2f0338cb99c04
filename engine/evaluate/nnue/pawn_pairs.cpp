#include "engine/evaluate/nnue/pawn_pairs.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace engine::nnue {

namespace {

/// The pawns of both sides on the 48 squares of a pawn.
constexpr std::size_t pawn_count = 96;
constexpr std::uint16_t no_pair = 0xFFFF;

using PairNumbers = std::array<std::array<std::uint16_t, pawn_count>, pawn_count>;

constexpr bool is_pair(std::size_t higher, std::size_t lower) {
    const std::size_t file = higher % 8;
    const std::size_t other_file = lower % 8;
    return higher % 48 != lower % 48 && file <= other_file + 1 && other_file <= file + 1;
}

/// The number of a pair by its pawns, the one with the higher number first.
constexpr PairNumbers pair_numbers = [] {
    PairNumbers numbers{};
    std::uint16_t next = 0;
    for (std::size_t higher = 0; higher < pawn_count; ++higher)
        for (std::size_t lower = 0; lower < pawn_count; ++lower)
            numbers[higher][lower] = lower < higher && is_pair(higher, lower) ? next++ : no_pair;
    return numbers;
}();
static_assert(pair_numbers[95][94] == pawn_pair_count - 1);

}  // namespace

Pawns pawns_of(const core::Position& position) {
    return {position.pieces(core::Color::white, core::PieceType::pawn),
            position.pieces(core::Color::black, core::PieceType::pawn)};
}

PawnPairs::PawnPairs(const Pawns& pawns, Perspective perspective) {
    std::array<std::size_t, max_pawns> numbers{};
    std::size_t seen = 0;
    for (const auto color : core::both_colors) {
        for (const auto square : pawns[core::index_of(color)]) {
            assert(seen < max_pawns);
            const auto relative =
                static_cast<std::size_t>(square.relative_square(perspective.color).index());
            const std::size_t number = (color == perspective.color ? 0U : 48U)
                                     + (perspective.mirrored ? relative ^ 7U : relative) - 8;
            for (std::size_t i = 0; i < seen; ++i) {
                const auto [lower, higher] = std::minmax(numbers[i], number);
                if (const auto pair = pair_numbers[higher][lower]; pair != no_pair)
                    pairs_[count_++] = pair;
            }
            numbers[seen++] = number;
        }
    }
}

void sum_pawn_pairs(const Network& network,
                    const Kernels& kernels,
                    const Pawns& pawns,
                    Perspective perspective,
                    Value* sum) {
    FeatureList rows;
    for (const auto pair : PawnPairs{pawns, perspective})
        rows.add(network.pawn_pair_weights(pair));
    std::fill_n(sum, network.hidden_size(), Value{0});
    kernels.update(sum, sum, rows.rows(), {}, network.hidden_size());
}

PawnPairCache::PawnPairCache(const Network& network, const Kernels& kernels)
    : network_{&network},
      kernels_{&kernels},
      // No position has these pawns.
      pawns_(perspectives * structures, Pawns{~core::Bitboard{}, ~core::Bitboard{}}),
      sums_{aligned_values(perspectives * structures * network.hidden_size())} {}

const Value* PawnPairCache::sum(const core::Position& position, Perspective perspective) {
    const std::size_t place = index_of(perspective) / king_bucket_count * structures
                            + position.part_keys().pawns % structures;
    Value* const sum = sums_.get() + place * network_->hidden_size();
    const Pawns pawns = pawns_of(position);
    if (pawns_[place] != pawns) {
        pawns_[place] = pawns;
        sum_pawn_pairs(*network_, *kernels_, pawns, perspective, sum);
    }
    return sum;
}

}  // namespace engine::nnue
