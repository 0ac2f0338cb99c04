#pragma once

#include <bit>
#include <cstdint>

// Plain x86-64 does not guarantee the popcnt instruction, so such a build checks the CPU once at
// start-up. Every other build knows at compile time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#include <cpuid.h>
#define PARLEY_DETECT_POPCNT
#endif

namespace core {

#ifdef PARLEY_DETECT_POPCNT

namespace detail {
inline bool cpu_has_popcnt() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_POPCNT) != 0;
}
inline const bool has_popcnt = cpu_has_popcnt();
}  // namespace detail

/// The number of set bits.
[[nodiscard]] constexpr int popcount(std::uint64_t bits) noexcept {
    if (!std::is_constant_evaluated() && detail::has_popcnt) [[likely]] {
        std::uint64_t count = 0;
        asm("popcntq %1, %0" : "=r"(count) : "rm"(bits) : "cc");  // NOLINT(hicpp-no-assembler)
        return static_cast<int>(count);
    }
    return std::popcount(bits);
}

#else

/// The number of set bits.
[[nodiscard]] constexpr int popcount(std::uint64_t bits) noexcept {
    return std::popcount(bits);
}

#endif

}  // namespace core
