#pragma once

#include <bit>
#include <cstdint>

#include "core/popcount.hpp"
#include "core/square.hpp"

namespace core {

/// A set of squares: bit 0 is a1, bit 7 is h1, bit 63 is h8.
class Bitboard {
public:
    constexpr Bitboard() = default;
    constexpr explicit Bitboard(std::uint64_t bits) : bits_{bits} {}
    constexpr explicit Bitboard(Square square) : bits_{1ULL << square.index()} {}

    static constexpr Bitboard file(int file) { return Bitboard{0x0101010101010101ULL << file}; }
    static constexpr Bitboard rank(int rank) { return Bitboard{0xFFULL << (8 * rank)}; }
    static constexpr Bitboard all() { return Bitboard{~0ULL}; }
    static constexpr Bitboard light_squares() { return Bitboard{0x55AA55AA55AA55AAULL}; }

    constexpr std::uint64_t bits() const { return bits_; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr explicit operator bool() const { return bits_ != 0; }
    constexpr int count() const { return popcount(bits_); }
    constexpr bool more_than_one() const { return (bits_ & (bits_ - 1)) != 0; }
    constexpr bool contains(Square square) const { return ((bits_ >> square.index()) & 1) != 0; }

    /// The square with the lowest number; the set must not be empty.
    constexpr Square first() const { return Square{std::countr_zero(bits_)}; }
    constexpr Bitboard without_first() const { return Bitboard{bits_ & (bits_ - 1)}; }

    constexpr Bitboard operator~() const { return Bitboard{~bits_}; }
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
    friend constexpr bool operator==(Bitboard, Bitboard) = default;

    /// Walks over the squares, lowest number first: `for (Square square : bitboard)`.
    class Iterator {
    public:
        constexpr explicit Iterator(std::uint64_t bits) : bits_{bits} {}
        constexpr Square operator*() const { return Square{std::countr_zero(bits_)}; }
        constexpr Iterator& operator++() {
            bits_ &= bits_ - 1;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

    private:
        std::uint64_t bits_;
    };

    constexpr Iterator begin() const { return Iterator{bits_}; }
    constexpr Iterator end() const { return Iterator{0}; }

private:
    std::uint64_t bits_ = 0;
};

static_assert(sizeof(Bitboard) == 8);

/// A step on the board, as the difference of square numbers.
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

/// Every square of the set moved one step; what would leave the board is dropped.
template <Direction direction>
constexpr Bitboard shifted(Bitboard set) {
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
