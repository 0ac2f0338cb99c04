#pragma once

#include <cstddef>
#include <cstdint>

// The loops over a network's values, written once (simd_loops.inc) and compiled for several kinds
// of processors. All give the same integers.
namespace engine::nnue {

/// Rows of weights to be added to an accumulator or taken away.
struct Rows {
    const std::int16_t* const* rows = nullptr;
    std::size_t count = 0;
};

/// The loops for one kind of processor. All arrays are aligned to 64 bytes, and `width` is a
/// multiple of 32.
struct Kernels {
    const char* name = nullptr;
    /// to = from + added - removed; from and to may be the same.
    void (*update)(std::int16_t* to,
                   const std::int16_t* from,
                   Rows added,
                   Rows removed,
                   std::size_t width) = nullptr;
    /// The sum of clamp(value, 0, qa) squared times weight, for values and weights of one view.
    std::int32_t (*sum)(const std::int16_t* values,
                        const std::int16_t* weights,
                        std::size_t width) = nullptr;
};

// Those that this build has; some may not run on this machine.
extern const Kernels plain_kernels;
#if defined(__x86_64__) || defined(_M_X64)
extern const Kernels sse41_kernels;
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#elif defined(__aarch64__) || defined(_M_ARM64)
extern const Kernels neon_kernels;
#endif

/// All that run on this machine, the fastest first.
struct RunnableKernels {
    const Kernels* kernels[4] = {};
    std::size_t count = 0;
};
RunnableKernels runnable_kernels();

/// The fastest kernels of this machine, found out once.
const Kernels& best_kernels();

}  // namespace engine::nnue
