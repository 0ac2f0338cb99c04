#pragma once

#include <cstdint>

namespace core {

/// Steele, Lea and Flood's SplitMix64: every bit of the result depends on every bit of the input.
constexpr std::uint64_t split_mix(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

}  // namespace core
