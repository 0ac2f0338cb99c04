#include "engine/evaluate/nnue/simd.hpp"

#if defined(__aarch64__) || defined(_M_ARM64)

#include <arm_neon.h>

namespace engine::nnue {

namespace {

struct Simd {
    using Values = int16x8_t;
    using Sums = int32x4_t;
    static constexpr std::size_t lanes = 8;

    static Values load(const std::int16_t* from) { return vld1q_s16(from); }
    static void store(std::int16_t* to, Values values) { vst1q_s16(to, values); }
    static Values add(Values a, Values b) { return vaddq_s16(a, b); }
    static Values subtract(Values a, Values b) { return vsubq_s16(a, b); }
    static Values clamped(Values a) {
        return vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(255));
    }
    static Sums screlu_madd(Values values, Values weights) {
        const Values products = vmulq_s16(values, weights);
        return vaddq_s32(vmull_s16(vget_low_s16(values), vget_low_s16(products)),
                         vmull_high_s16(values, products));
    }
    static Sums zero() { return vdupq_n_s32(0); }
    static Sums plus(Sums a, Sums b) { return vaddq_s32(a, b); }
    static std::int32_t total(Sums sums) { return vaddvq_s32(sums); }
};

#include "engine/evaluate/nnue/simd_loops.inc"

}  // namespace

const Kernels neon_kernels{"neon", update, screlu_dot};

}  // namespace engine::nnue

#endif
