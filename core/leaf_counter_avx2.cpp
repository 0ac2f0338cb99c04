#include "core/leaf_counter.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define PARLEY_TARGET [[gnu::target("avx2,bmi,popcnt")]]

namespace core {

namespace {

/// a | (b & c)
PARLEY_TARGET inline __m256i or_and(__m256i a, __m256i b, __m256i c) {
    return _mm256_or_si256(a, _mm256_and_si256(b, c));
}

/// The number of set bits in each byte: a table look-up for each half of it
/// (https://arxiv.org/abs/1611.07612).
PARLEY_TARGET inline __m256i bits_of_bytes(__m256i sets) {
    const __m256i table =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m256i low_half = _mm256_set1_epi8(15);
    const __m256i low = _mm256_and_si256(sets, low_half);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(sets, 4), low_half);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high));
}

/// For each lane, the set bits of the four vectors.
PARLEY_TARGET inline __m256i count_bits(__m256i a, __m256i b, __m256i c, __m256i d) {
    const __m256i bytes = _mm256_add_epi8(_mm256_add_epi8(bits_of_bytes(a), bits_of_bytes(b)),
                                          _mm256_add_epi8(bits_of_bytes(c), bits_of_bytes(d)));
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

#include "core/leaf_counter.inc"

}  // namespace

extern const LeafCounter avx2_leaf_counter;
const LeafCounter avx2_leaf_counter{"avx2", {count_moves<Color::white>, count_moves<Color::black>}};

}  // namespace core

#endif
