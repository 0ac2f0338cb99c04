#include "core/leaf_counter.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

// Vectors of 256 bits: they are as fast here as those of 512 bits on Zen 4, and need no code of
// their own. AVX-512 brings operations of three operands and the population count.
#define PARLEY_TARGET [[gnu::target("avx2,avx512f,avx512vl,avx512vpopcntdq,bmi,popcnt")]]

namespace core {

namespace {

/// a | (b & c)
PARLEY_TARGET inline __m256i or_and(__m256i a, __m256i b, __m256i c) {
    return _mm256_ternarylogic_epi64(a, b, c, 0xF8);
}

/// For each lane, the set bits of the four vectors.
PARLEY_TARGET inline __m256i count_bits(__m256i a, __m256i b, __m256i c, __m256i d) {
    return _mm256_add_epi64(_mm256_add_epi64(_mm256_popcnt_epi64(a), _mm256_popcnt_epi64(b)),
                            _mm256_add_epi64(_mm256_popcnt_epi64(c), _mm256_popcnt_epi64(d)));
}

#include "core/leaf_counter.inc"

}  // namespace

extern const LeafCounter avx512_leaf_counter;
const LeafCounter avx512_leaf_counter{"avx512",
                                      {count_moves<Color::white>, count_moves<Color::black>}};

}  // namespace core

#endif
