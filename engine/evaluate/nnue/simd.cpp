#include "engine/evaluate/nnue/simd.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace engine::nnue {

namespace {

#if defined(__x86_64__) || defined(_M_X64)

struct Processor {
    bool sse41 = false;
    bool avx2 = false;
    bool avx512 = false;
};

#if defined(_MSC_VER) && !defined(__clang__)
Processor this_processor() {
    int words[4];
    __cpuid(words, 0);
    const bool has_seven = words[0] >= 7;
    __cpuid(words, 1);
    const bool sse41 = (words[2] >> 19 & 1) != 0;
    const bool saves_registers = (words[2] >> 27 & 1) != 0;
    const unsigned long long saved = saves_registers ? _xgetbv(0) : 0;
    __cpuidex(words, 7, 0);
    const bool avx2 = has_seven && (words[1] >> 5 & 1) != 0 && (saved & 0x06) == 0x06;
    const bool avx512 = avx2 && (words[1] >> 30 & 1) != 0 && (saved & 0xE6) == 0xE6;
    return {sse41, avx2, avx512};
}
#else
Processor this_processor() {
    __builtin_cpu_init();
    return {__builtin_cpu_supports("sse4.1") != 0, __builtin_cpu_supports("avx2") != 0,
            __builtin_cpu_supports("avx512bw") != 0};
}
#endif

#endif

void add(KernelList& all, const Kernels& kernels) {
    all.kernels[all.count++] = &kernels;
}

// PARLEY_SIMD selects a kernel by name, so that a test can compare them all in one program.
const Kernels& chosen_kernels() {
    const KernelList runnable = runnable_kernels();
    const char* wanted = std::getenv("PARLEY_SIMD");  // NOLINT(concurrency-mt-unsafe)
    if (wanted == nullptr)
        return *runnable.kernels[0];
    for (std::size_t i = 0; i < runnable.count; ++i) {
        if (std::string_view(runnable.kernels[i]->name) == wanted)
            return *runnable.kernels[i];
    }
    static_cast<void>(std::fprintf(stderr, "parley: PARLEY_SIMD=%s cannot run here; using %s\n",
                                   wanted, runnable.kernels[0]->name));
    return *runnable.kernels[0];
}

}  // namespace

KernelList built_kernels() {
    KernelList all;
#if defined(__x86_64__) || defined(_M_X64)
    add(all, avx512_kernels);
    add(all, avx2_kernels);
    add(all, sse41_kernels);
#elif defined(__aarch64__) || defined(_M_ARM64)
    add(all, neon_kernels);
#elif defined(PARLEY_SIMD128)
    add(all, simd128_kernels);
#endif
    add(all, plain_kernels);
    return all;
}

KernelList runnable_kernels() {
    KernelList all;
#if defined(__x86_64__) || defined(_M_X64)
    const Processor processor = this_processor();
    if (processor.avx512)
        add(all, avx512_kernels);
    if (processor.avx2)
        add(all, avx2_kernels);
    if (processor.sse41)
        add(all, sse41_kernels);
    add(all, plain_kernels);
#else
    all = built_kernels();
#endif
    return all;
}

const Kernels& best_kernels() {
    static const Kernels& best = chosen_kernels();
    return best;
}

}  // namespace engine::nnue
