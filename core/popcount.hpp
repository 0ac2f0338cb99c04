#pragma once

#include <bit>
#include <cstdint>

// The one place that depends on how a processor counts bits. A build for plain x86-64 may not
// assume the instruction, so it asks the processor; every other build knows.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#include <cpuid.h>
#define PARLEY_ASK_FOR_POPCNT
#endif

namespace core {

#ifdef PARLEY_ASK_FOR_POPCNT

namespace detail {
inline bool processor_has_popcnt() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_POPCNT) != 0;
}
inline const bool has_popcnt = processor_has_popcnt();
}  // namespace detail

/// How many bits are set.
constexpr int popcount(std::uint64_t bits) {
    if (!std::is_constant_evaluated() && detail::has_popcnt) [[likely]] {
        std::uint64_t count = 0;
        asm("popcntq %1, %0" : "=r"(count) : "rm"(bits) : "cc");  // NOLINT(hicpp-no-assembler)
        return static_cast<int>(count);
    }
    return std::popcount(bits);
}

#else

/// How many bits are set.
constexpr int popcount(std::uint64_t bits) {
    return std::popcount(bits);
}

#endif

}  // namespace core
