#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// The network: (4 x 768 + 6 x 768 + 1488 -> N) x 2 -> 1 x 8, an efficiently updatable network
// (NNUE) with SCReLU activation. Both perspectives share the feature weights W, T and P and the
// hidden biases b. W has four sets of 768 rows: a perspective uses that of its king bucket, by
// where its own king stands. T has six sets, one for each kind of threat; P has a row for each pair
// of pawns. The output weights w and the output bias c are those of the position's output bucket,
// by its number of pieces.
//
//   accumulator of a perspective   a = b + the rows of W of all pieces
//                                    + the rows of T of all threats
//                                    + the rows of P of all pawn pairs
//   hidden value                   h = clamp(a, 0, 1)^2
//   output                         o = w_stm . h_stm + w_ntm . h_ntm + c
//
// where stm is the side to move and ntm the other. Quantised: W, T, P and b are multiples of 1/qa,
// w of 1/qb and c of 1/(qa qb); the score in centipawns is
//
//   (sum of clamp(a, 0, qa)^2 w / qa + c) scale / (qa qb)
//
// with divisions that truncate.
namespace engine::nnue {

/// For each king bucket: own or opponent's piece, 6 types, 64 squares.
inline constexpr std::size_t piece_feature_count = 768;
inline constexpr std::size_t king_bucket_count = 4;
inline constexpr std::size_t feature_count = king_bucket_count * piece_feature_count;
/// For each kind of threat (threats.hpp): own or opponent's piece, 6 types, 64 squares.
inline constexpr std::size_t threat_kind_count = 6;
inline constexpr std::size_t threat_feature_count = threat_kind_count * piece_feature_count;
/// Pairs of pawns on the same file or on neighbouring ones: see pawn_pairs.hpp.
inline constexpr std::size_t pawn_pair_count = 1'488;
/// N is a multiple of the step, so that every kernel's vectors divide it.
inline constexpr std::size_t max_hidden_size = 1'024;
inline constexpr std::size_t hidden_size_step = 32;

/// The king bucket of a perspective by its king's square, 0 to 63 as that side sees it: 0 on the
/// files a, b, g and h of the first rank, as after castling; 1 on its other files; 2 on the second
/// rank; 3 further up.
inline constexpr std::array<std::uint8_t, 64> king_bucket_of = [] {
    std::array<std::uint8_t, 64> buckets{0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2};
    std::fill(buckets.begin() + 16, buckets.end(), std::uint8_t{3});
    return buckets;
}();

inline constexpr std::size_t output_bucket_count = 8;
/// The output bucket of a position with this number of pieces, 2 to 32.
constexpr std::size_t output_bucket_of(int pieces) {
    return static_cast<std::size_t>((pieces - 2) / 4);
}

/// What stands for 1 in accumulators.
inline constexpr int qa = 255;

using Value = std::int16_t;

}  // namespace engine::nnue
