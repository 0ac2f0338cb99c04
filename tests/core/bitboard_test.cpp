#include "core/bitboard.hpp"

#include <random>
#include <vector>

#include "tests/catch.hpp"

using namespace core;

namespace {

/// One step from a square, counted in files and ranks; nothing beyond the edge.
Bitboard step(Square from, int files, int ranks) {
    const int file = from.file() + files;
    const int rank = from.rank() + ranks;
    if (file < 0 || file > 7 || rank < 0 || rank > 7)
        return Bitboard{};
    return Bitboard{Square::at(file, rank)};
}

}  // namespace

TEST_CASE("a set contains exactly the squares added to it", "[bitboard]") {
    Bitboard set{"e4"_sq};
    set |= Bitboard{"a1"_sq};
    set |= Bitboard{"h8"_sq};
    CHECK(set.count() == 3);
    CHECK(set.contains("e4"_sq));
    CHECK_FALSE(set.contains("e5"_sq));
    CHECK(set.lsb() == "a1"_sq);
    CHECK(set.without_lsb().lsb() == "e4"_sq);
    set ^= Bitboard{"e4"_sq};
    CHECK_FALSE(set.contains("e4"_sq));
    set &= Bitboard::rank(7);
    CHECK(set == Bitboard{"h8"_sq});
}

TEST_CASE("an empty set is empty", "[bitboard]") {
    CHECK(Bitboard{}.empty());
    CHECK_FALSE(Bitboard{});
    CHECK(Bitboard{}.count() == 0);
    CHECK_FALSE(Bitboard{}.more_than_one());
    CHECK(~Bitboard{} == Bitboard::all());
    for (const Square square : Bitboard{})
        FAIL(square.name());
}

TEST_CASE("more than one means two or more", "[bitboard]") {
    CHECK_FALSE(Bitboard{"c3"_sq}.more_than_one());
    CHECK((Bitboard{"c3"_sq} | Bitboard{"c4"_sq}).more_than_one());
    CHECK(Bitboard::all().more_than_one());
}

TEST_CASE("iteration visits each square once, in ascending order", "[bitboard]") {
    std::mt19937_64 random{1};
    for (int i = 0; i < 100; ++i) {
        const Bitboard set{random() & random()};
        Bitboard met;
        int last = -1;
        int count = 0;
        for (const Square square : set) {
            CHECK(square.index() > last);
            last = square.index();
            met |= Bitboard{square};
            ++count;
        }
        CHECK(met == set);
        CHECK(count == set.count());
    }
}

TEST_CASE("files and ranks have eight squares and cross in one", "[bitboard]") {
    for (int file = 0; file < 8; ++file) {
        CHECK(Bitboard::file(file).count() == 8);
        for (int rank = 0; rank < 8; ++rank)
            CHECK((Bitboard::file(file) & Bitboard::rank(rank))
                  == Bitboard{Square::at(file, rank)});
    }
}

TEST_CASE("shift drops squares that would leave the board", "[bitboard]") {
    for (int i = 0; i < Square::count; ++i) {
        const Square from{i};
        const Bitboard set{from};
        CHECK(shift<Direction::north>(set) == step(from, 0, 1));
        CHECK(shift<Direction::south>(set) == step(from, 0, -1));
        CHECK(shift<Direction::east>(set) == step(from, 1, 0));
        CHECK(shift<Direction::west>(set) == step(from, -1, 0));
        CHECK(shift<Direction::north_east>(set) == step(from, 1, 1));
        CHECK(shift<Direction::north_west>(set) == step(from, -1, 1));
        CHECK(shift<Direction::south_east>(set) == step(from, 1, -1));
        CHECK(shift<Direction::south_west>(set) == step(from, -1, -1));
    }
}

TEST_CASE("popcount is the same at compile time and at run time", "[bitboard]") {
    static_assert(popcount(0) == 0);
    static_assert(popcount(~0ULL) == 64);
    static_assert(popcount(0x8000000000000001ULL) == 2);
    std::mt19937_64 random{2};
    for (int i = 0; i < 1000; ++i) {
        const auto bits = random() & random();
        CHECK(popcount(bits) == std::popcount(bits));
    }
}
