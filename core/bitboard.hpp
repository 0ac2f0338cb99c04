#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "core/popcount.hpp"
#include "core/square.hpp"

namespace core {

/// A set of squares: bit 0 is a1, bit 7 is h1, bit 63 is h8.
class Bitboard {
public:
    constexpr Bitboard() = default;
    constexpr explicit Bitboard(std::uint64_t bits) noexcept : bits_{bits} {}
    constexpr explicit Bitboard(Square square) noexcept : bits_{1ULL << square.index()} {}

    [[nodiscard]] static constexpr Bitboard file(int file) noexcept {
        return Bitboard{0x0101010101010101ULL << file};
    }
    [[nodiscard]] static constexpr Bitboard rank(int rank) noexcept {
        return Bitboard{0xFFULL << (8 * rank)};
    }
    [[nodiscard]] static constexpr Bitboard all() noexcept { return Bitboard{~0ULL}; }
    [[nodiscard]] static constexpr Bitboard light_squares() noexcept {
        return Bitboard{0x55AA55AA55AA55AAULL};
    }

    [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return bits_ != 0; }
    [[nodiscard]] constexpr int count() const noexcept { return popcount(bits_); }
    [[nodiscard]] constexpr bool more_than_one() const noexcept {
        return (bits_ & (bits_ - 1)) != 0;
    }
    [[nodiscard]] constexpr bool contains(Square square) const noexcept {
        return ((bits_ >> square.index()) & 1) != 0;
    }

    /// The square with the lowest index; the set must not be empty.
    [[nodiscard]] constexpr Square lsb() const noexcept {
        assert(bits_ != 0);
        return Square{std::countr_zero(bits_)};
    }
    [[nodiscard]] constexpr Bitboard without_lsb() const noexcept {
        return Bitboard{bits_ & (bits_ - 1)};
    }

    [[nodiscard]] constexpr Bitboard operator~() const noexcept { return Bitboard{~bits_}; }
    constexpr Bitboard& operator&=(Bitboard other) { return *this = *this & other; }
    constexpr Bitboard& operator|=(Bitboard other) { return *this = *this | other; }
    constexpr Bitboard& operator^=(Bitboard other) { return *this = *this ^ other; }

    friend constexpr Bitboard operator&(Bitboard a, Bitboard b) {
        return Bitboard{a.bits_ & b.bits_};
    }
    friend constexpr Bitboard operator|(Bitboard a, Bitboard b) {
        return Bitboard{a.bits_ | b.bits_};
    }
    friend constexpr Bitboard operator^(Bitboard a, Bitboard b) {
        return Bitboard{a.bits_ ^ b.bits_};
    }
    friend constexpr bool operator==(Bitboard, Bitboard) noexcept = default;

    /// Iterates over the squares in ascending index: `for (Square square : bitboard)`.
    class Iterator {
    public:
        constexpr explicit Iterator(std::uint64_t bits) noexcept : bits_{bits} {}
        [[nodiscard]] constexpr Square operator*() const noexcept {
            return Square{std::countr_zero(bits_)};
        }
        constexpr Iterator& operator++() {
            bits_ &= bits_ - 1;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) noexcept = default;

    private:
        std::uint64_t bits_;
    };

    [[nodiscard]] constexpr Iterator begin() const noexcept { return Iterator{bits_}; }
    [[nodiscard]] constexpr Iterator end() const noexcept { return Iterator{0}; }

private:
    std::uint64_t bits_ = 0;
};

static_assert(sizeof(Bitboard) == 8);

/// One step on the board, as a difference of square indices.
enum class Direction : int {
    north = 8,
    south = -8,
    east = 1,
    west = -1,
    north_east = 9,
    north_west = 7,
    south_east = -7,
    south_west = -9,
};

/// The set moved one step; squares that would leave the board are dropped.
template <Direction direction>
[[nodiscard]] constexpr Bitboard shift(Bitboard set) noexcept {
    constexpr int step = static_cast<int>(direction);
    constexpr bool east = step == 1 || step == 9 || step == -7;
    constexpr bool west = step == -1 || step == -9 || step == 7;
    if constexpr (east)
        set &= ~Bitboard::file(7);
    if constexpr (west)
        set &= ~Bitboard::file(0);
    if constexpr (step > 0)
        return Bitboard{set.bits() << step};
    else
        return Bitboard{set.bits() >> -step};
}

}  // namespace core
