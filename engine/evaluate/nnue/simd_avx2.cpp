#include "engine/evaluate/nnue/simd.hpp"

#if defined(__x86_64__) || defined(_M_X64)

#include <immintrin.h>

namespace engine::nnue {

namespace {

struct Simd {
    using Values = __m256i;
    using Sums = __m256i;
    static constexpr std::size_t lanes = 16;

    static Values load(const std::int16_t* from) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
    }
    static void store(std::int16_t* to, Values values) {
        _mm256_store_si256(reinterpret_cast<__m256i*>(to), values);
    }
    static Values add(Values a, Values b) { return _mm256_add_epi16(a, b); }
    static Values subtract(Values a, Values b) { return _mm256_sub_epi16(a, b); }
    static Values clamped(Values a) {
        return _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()),
                                _mm256_set1_epi16(255));
    }
    static Sums screlu_madd(Values values, Values weights) {
        return _mm256_madd_epi16(values, _mm256_mullo_epi16(values, weights));
    }
    static Sums zero() { return _mm256_setzero_si256(); }
    static Sums plus(Sums a, Sums b) { return _mm256_add_epi32(a, b); }
    static std::int32_t total(Sums sums) {
        const __m128i halves =
            _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        const __m128i pairs = _mm_add_epi32(halves, _mm_shuffle_epi32(halves, 0x4E));
        return _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, 0xB1)));
    }
};

#include "engine/evaluate/nnue/simd_loops.inc"

}  // namespace

const Kernels avx2_kernels{"avx2", update, screlu_dot};

}  // namespace engine::nnue

#endif
