#include "engine/evaluate/nnue/simd.hpp"

namespace engine::nnue {

namespace {

/// One value at a time; compilers vectorise it well for the base instruction set.
struct Simd {
    using Values = std::int16_t;
    using Sums = std::int32_t;
    static constexpr std::size_t lanes = 1;

    static Values load(const std::int16_t* from) { return *from; }
    static void store(std::int16_t* to, Values values) { *to = values; }
    static Values add(Values a, Values b) { return static_cast<Values>(a + b); }
    static Values subtract(Values a, Values b) { return static_cast<Values>(a - b); }
    static Values clamped(Values a) { return static_cast<Values>(a < 0 ? 0 : a > 255 ? 255 : a); }
    static Sums screlu_madd(Values value, Values weight) { return value * value * weight; }
    static Sums zero() { return 0; }
    static Sums plus(Sums a, Sums b) { return a + b; }
    static std::int32_t total(Sums sums) { return sums; }
};

#include "engine/evaluate/nnue/simd_loops.inc"

}  // namespace

const Kernels plain_kernels{"plain", update, screlu_dot};

}  // namespace engine::nnue
