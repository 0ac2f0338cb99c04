#pragma once

#include <cstddef>
#include <cstdint>

// The network: (768 -> N) x 2 -> 1 x 8, an efficiently updatable network (NNUE) with SCReLU
// activation. Both perspectives share the feature weights W and the hidden biases b. The output
// weights w and the output bias c are those of the position's bucket, by its number of pieces.
//
//   accumulator of a perspective   a = b + the rows of W of all active features
//   hidden value                   h = clamp(a, 0, 1)^2
//   output                         o = w_stm . h_stm + w_ntm . h_ntm + c
//
// where stm is the side to move and ntm the other. Quantised: W and b are multiples of 1/qa, w of
// 1/qb and c of 1/(qa qb); the score in centipawns is
//
//   (sum of clamp(a, 0, qa)^2 w / qa + c) scale / (qa qb)
//
// with divisions that truncate.
namespace engine::nnue {

inline constexpr std::size_t feature_count = 768;
/// N is a multiple of the step, so that every kernel's vectors divide it.
inline constexpr std::size_t max_hidden_size = 1'024;
inline constexpr std::size_t hidden_size_step = 32;

inline constexpr std::size_t bucket_count = 8;
/// The output bucket of a position with this number of pieces, 2 to 32.
constexpr std::size_t bucket_of(int pieces) {
    return static_cast<std::size_t>((pieces - 2) / 4);
}

/// What stands for 1 in accumulators.
inline constexpr int qa = 255;

using Value = std::int16_t;

}  // namespace engine::nnue
