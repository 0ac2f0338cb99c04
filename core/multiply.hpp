#pragma once

#include <cstdint>

#if !defined(__SIZEOF_INT128__) && defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace core {

/// The upper 64 bits of the 128-bit product. mul_hi64(key, n) maps random keys evenly to 0..n-1
/// for any n.
[[nodiscard]] inline std::uint64_t mul_hi64(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
    return __umulh(a, b);
#else
    const std::uint64_t low = 0xFFFFFFFFULL;
    const std::uint64_t middle = (a >> 32) * (b & low) + (((a & low) * (b & low)) >> 32);
    const std::uint64_t carry = (a & low) * (b >> 32) + (middle & low);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (carry >> 32);
#endif
}

}  // namespace core
