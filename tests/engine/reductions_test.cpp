#include "engine/search/reductions.hpp"

#include "tests/catch.hpp"

using namespace engine;

TEST_CASE("later moves and greater depths are reduced at least as much", "[reductions]") {
    const auto reduction = GENERATE(quiet_reduction, noisy_reduction);
    for (int depth = 0; depth < 80; ++depth) {
        for (int number = 0; number < 80; ++number) {
            REQUIRE(reduction(depth, number) >= 0);
            REQUIRE(reduction(depth, number + 1) >= reduction(depth, number));
            REQUIRE(reduction(depth + 1, number) >= reduction(depth, number));
        }
    }
}

TEST_CASE("noisy moves are reduced no more than quiet ones", "[reductions]") {
    for (int depth = 0; depth < 70; ++depth) {
        for (int number = 0; number < 70; ++number)
            REQUIRE(noisy_reduction(depth, number) <= quiet_reduction(depth, number));
    }
}

TEST_CASE("the first move is reduced by less than a ply", "[reductions]") {
    for (int depth = 0; depth < 70; ++depth) {
        CHECK(quiet_reduction(depth, 1) < ply_parts);
        CHECK(noisy_reduction(depth, 1) < ply_parts);
    }
}

TEST_CASE("a quiet move is reduced by base and logarithms", "[reductions]") {
    // 0.80 + ln(depth) ln(number) / 2.35
    const auto [depth, number, plies] = GENERATE(table<int, int, double>({
        {2, 2, 1.004},
        {3, 3, 1.314},
        {8, 4, 2.027},
        {10, 20, 3.735},
        {20, 40, 5.503},
        {63, 63, 8.105},
    }));
    CAPTURE(depth, number);
    CHECK(quiet_reduction(depth, number) == Approx(plies * ply_parts).margin(2));
}

TEST_CASE("numbers beyond the tables count as the last ones in them", "[reductions]") {
    CHECK(quiet_reduction(1'000, 1'000) == quiet_reduction(63, 63));
    CHECK(noisy_reduction(239, 5) == noisy_reduction(63, 5));
    CHECK(quiet_reduction(-3, 10) == 0);
    CHECK(noisy_reduction(10, -3) == 0);
}
