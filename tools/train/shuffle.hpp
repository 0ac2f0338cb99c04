#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace train {

/// A number whose every bit depends on every bit of another (SplitMix64's last step).
constexpr std::uint64_t mixed(std::uint64_t number) {
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9ULL;
    number = (number ^ number >> 27) * 0x94D049BB133111EBULL;
    return number ^ number >> 31;
}

/// The numbers from 0 to size - 1 in a random order that depends on the seed alone. It takes no
/// memory, and any part of the order can be asked for first: a Feistel network over the bits,
/// walked until it leads below the size.
class Shuffle {
public:
    Shuffle(std::uint64_t seed, std::uint64_t size) : size_{size} {
        const int bits = std::max(2, static_cast<int>(std::bit_width(size - 1)));
        low_bits_ = bits / 2;
        low_ = (1ULL << low_bits_) - 1;
        high_ = (1ULL << (bits - low_bits_)) - 1;
        for (std::uint64_t i = 0; i < keys_.size(); ++i)
            keys_[i] = mixed(seed + (i + 1) * 0x9E3779B97F4A7C15ULL);
    }

    /// Writes `count` numbers of the order, from the place `first` on.
    template <typename Number>
    void write(std::uint64_t first, std::uint64_t count, Number* out) const {
        // In two loops: the first has no branches, so the processor overlaps its steps.
        for (std::uint64_t i = 0; i < count; ++i)
            out[i] = static_cast<Number>(step(first + i));
        for (std::uint64_t i = 0; i < count; ++i)
            while (static_cast<std::uint64_t>(out[i]) >= size_)
                out[i] = static_cast<Number>(step(static_cast<std::uint64_t>(out[i])));
    }

private:
    std::uint64_t step(std::uint64_t number) const {
        std::uint64_t low = number & low_;
        std::uint64_t high = number >> low_bits_;
        for (std::size_t i = 0; i < keys_.size(); i += 2) {
            high ^= blurred(low, keys_[i]) & high_;
            low ^= blurred(high, keys_[i + 1]) & low_;
        }
        return high << low_bits_ | low;
    }
    static std::uint64_t blurred(std::uint64_t number, std::uint64_t key) {
        number = (number ^ key) * 0x9E3779B97F4A7C15ULL;
        return number ^ number >> 32;
    }

    std::uint64_t size_;
    std::uint64_t low_ = 0;
    std::uint64_t high_ = 0;
    int low_bits_ = 0;
    std::array<std::uint64_t, 6> keys_{};
};

}  // namespace train
