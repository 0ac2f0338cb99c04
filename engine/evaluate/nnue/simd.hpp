#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The SIMD kernels: loops written once (simd_loops.inc) and compiled for several instruction sets.
// All give the same integers for every network that Network::read() accepts.
namespace engine::nnue {

/// Rows of weights to add to an accumulator or to subtract from it.
struct WeightRows {
    const std::int16_t* const* rows = nullptr;
    std::size_t count = 0;
};

/// The loops for one instruction set. All arrays are aligned to 64 bytes, and `size` is a multiple
/// of 32.
struct Kernels {
    const char* name = nullptr;
    /// to = from + added - removed; from and to may be the same.
    void (*update)(std::int16_t* to,
                   const std::int16_t* from,
                   WeightRows added,
                   WeightRows removed,
                   std::size_t size) = nullptr;
    /// The dot product of SCReLU(values + added) and weights, SCReLU(x) being clamp(x, 0, qa)^2.
    std::int32_t (*screlu_dot)(const std::int16_t* values,
                               WeightRows added,
                               const std::int16_t* weights,
                               std::size_t size) = nullptr;
};

// The kernels in this build; some may not run on this machine.
extern const Kernels plain_kernels;
#if defined(__x86_64__) || defined(_M_X64)
extern const Kernels sse41_kernels;
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#elif defined(__aarch64__) || defined(_M_ARM64)
extern const Kernels neon_kernels;
#elif defined(PARLEY_SIMD128)
extern const Kernels simd128_kernels;
#endif

struct KernelList {
    std::array<const Kernels*, 4> kernels{};
    std::size_t count = 0;
};
/// The kernels in this build, the fastest first.
KernelList built_kernels();
/// Those that run on this machine.
KernelList runnable_kernels();

/// The fastest kernels of this machine, or those that the environment variable PARLEY_SIMD names
/// (plain, sse41, avx2, avx512, neon or simd128). A name that cannot run here is reported on stderr
/// and ignored. Read once.
const Kernels& best_kernels();

}  // namespace engine::nnue
