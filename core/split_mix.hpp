#pragma once

#include <cstdint>

namespace core {

/// The step of SplitMix64's sequence: 2^64 divided by the golden ratio, made odd.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

/// One number of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every bit of the result depends
/// on every bit of the input.
constexpr std::uint64_t split_mix(std::uint64_t value) {
    value += golden_gamma;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

}  // namespace core
