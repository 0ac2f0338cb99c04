#include "engine/evaluate/nnue/simd.hpp"

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

namespace engine::nnue {

namespace {

struct Simd {
    using Values = v128_t;
    using Sums = v128_t;
    static constexpr std::size_t lanes = 8;

    static Values load(const std::int16_t* from) { return wasm_v128_load(from); }
    static void store(std::int16_t* to, Values values) { wasm_v128_store(to, values); }
    static Values add(Values a, Values b) { return wasm_i16x8_add(a, b); }
    static Values subtract(Values a, Values b) { return wasm_i16x8_sub(a, b); }
    static Values clamped(Values a) {
        return wasm_i16x8_min(wasm_i16x8_max(a, wasm_i16x8_const_splat(0)),
                              wasm_i16x8_const_splat(255));
    }
    static Sums screlu_madd(Values values, Values weights) {
        return wasm_i32x4_dot_i16x8(values, wasm_i16x8_mul(values, weights));
    }
    static Sums zero() { return wasm_i32x4_const_splat(0); }
    static Sums plus(Sums a, Sums b) { return wasm_i32x4_add(a, b); }
    static std::int32_t total(Sums sums) {
        return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1)
             + wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
    }
};

#include "engine/evaluate/nnue/simd_loops.inc"

}  // namespace

const Kernels simd128_kernels{"simd128", update, screlu_dot};

}  // namespace engine::nnue

#endif
