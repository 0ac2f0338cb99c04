#include "engine/evaluate/nnue/simd.hpp"

#if defined(__x86_64__) || defined(_M_X64)

#include <immintrin.h>

namespace engine::nnue {

namespace {

struct Simd {
    using Values = __m512i;
    using Sums = __m512i;
    static constexpr std::size_t lanes = 32;

    static Values load(const std::int16_t* from) {
        return _mm512_load_si512(reinterpret_cast<const __m512i*>(from));
    }
    static void store(std::int16_t* to, Values values) {
        _mm512_store_si512(reinterpret_cast<__m512i*>(to), values);
    }
    static Values add(Values a, Values b) { return _mm512_add_epi16(a, b); }
    static Values subtract(Values a, Values b) { return _mm512_sub_epi16(a, b); }
    static Values clamped(Values a) {
        return _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()),
                                _mm512_set1_epi16(255));
    }
    static Sums screlu_madd(Values values, Values weights) {
        return _mm512_madd_epi16(values, _mm512_mullo_epi16(values, weights));
    }
    static Sums zero() { return _mm512_setzero_si512(); }
    static Sums plus(Sums a, Sums b) { return _mm512_add_epi32(a, b); }
    static std::int32_t total(Sums sums) { return _mm512_reduce_add_epi32(sums); }
};

#include "engine/evaluate/nnue/simd_loops.inc"

}  // namespace

const Kernels avx512_kernels{"avx512", update, screlu_dot};

}  // namespace engine::nnue

#endif
