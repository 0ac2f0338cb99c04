#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/position.hpp"

#include "engine/evaluate/nnue/aligned_values.hpp"
#include "engine/evaluate/nnue/features.hpp"
#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/simd.hpp"

// Pairs of pawns as inputs of the network: any two pawns, of the same side or not, on the same file
// or on neighbouring ones. So the network sees chains, doubled, isolated, backward and passed pawns.
// They change only with the pawns, so their sums are kept by pawn structure.
namespace engine::nnue {

/// The squares of White's and Black's pawns.
using Pawns = std::array<core::Bitboard, 2>;
inline constexpr std::size_t max_pawns = 16;

Pawns pawns_of(const core::Position& position);

/// The numbers of all pawn pairs as a perspective sees them, 0 to pawn_pair_count - 1. A pawn has
/// the number 48 * (it is the opponent's) + its square as seen - 8; pairs are numbered in the order of
/// the higher number of their pawns, and then of the lower one.
class PawnPairs {  // NOLINT(cppcoreguidelines-pro-type-member-init): pairs_ up to count_
public:
    static constexpr std::size_t max_size = max_pawns * (max_pawns - 1) / 2;

    PawnPairs(const Pawns& pawns, Perspective perspective);
    const std::uint16_t* begin() const { return pairs_.data(); }
    const std::uint16_t* end() const { return pairs_.data() + count_; }

private:
    std::array<std::uint16_t, max_size> pairs_;
    std::size_t count_ = 0;
};

/// Adds up the weights of all pawn pairs into `sum`, which has room for hidden_size() values and is
/// aligned to 64 bytes.
void sum_pawn_pairs(const Network& network,
                    const Kernels& kernels,
                    const Pawns& pawns,
                    Perspective perspective,
                    Value* sum);

/// The sums of the pawn structures that were evaluated last. Belongs to one thread; takes 278 kB with
/// 128 hidden values.
class PawnPairCache {
public:
    /// The network must outlive the cache.
    PawnPairCache(const Network& network, const Kernels& kernels);

    /// The sum of a position's pawn pairs for a perspective: hidden_size() values, until the next call.
    const Value* sum(const core::Position& position, Perspective perspective);

private:
    static constexpr std::size_t structures = 256;  ///< for each perspective
    static constexpr std::size_t perspectives = perspective_count / king_bucket_count;

    const Network* network_;
    const Kernels* kernels_;
    std::vector<Pawns> pawns_;  ///< whose sums are known
    AlignedValues sums_;
};

}  // namespace engine::nnue
