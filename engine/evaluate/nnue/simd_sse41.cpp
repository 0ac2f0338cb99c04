#include "engine/evaluate/nnue/simd.hpp"

#if defined(__x86_64__) || defined(_M_X64)

#include <immintrin.h>

namespace engine::nnue {

namespace {

struct Simd {
    using Values = __m128i;
    using Sums = __m128i;
    static constexpr std::size_t lanes = 8;

    static Values load(const std::int16_t* from) {
        return _mm_load_si128(reinterpret_cast<const __m128i*>(from));
    }
    static void store(std::int16_t* to, Values values) {
        _mm_store_si128(reinterpret_cast<__m128i*>(to), values);
    }
    static Values add(Values a, Values b) { return _mm_add_epi16(a, b); }
    static Values subtract(Values a, Values b) { return _mm_sub_epi16(a, b); }
    static Values clamped(Values a) {
        return _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), _mm_set1_epi16(255));
    }
    static Sums screlu_madd(Values values, Values weights) {
        return _mm_madd_epi16(values, _mm_mullo_epi16(values, weights));
    }
    static Sums zero() { return _mm_setzero_si128(); }
    static Sums plus(Sums a, Sums b) { return _mm_add_epi32(a, b); }
    static std::int32_t total(Sums sums) {
        const __m128i pairs = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E));
        return _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, 0xB1)));
    }
};

#include "engine/evaluate/nnue/simd_loops.inc"

}  // namespace

const Kernels sse41_kernels{"sse41", update, screlu_dot};

}  // namespace engine::nnue

#endif
