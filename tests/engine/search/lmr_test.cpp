#include "engine/search/lmr.hpp"

#include <algorithm>
#include <cmath>

#include "engine/search/parameters.hpp"

#include "tests/catch.hpp"

using namespace engine;
using namespace engine::search;

TEST_CASE("later moves and greater depths are reduced at least as much", "[lmr]") {
    const auto reduction = GENERATE(quiet_reduction, noisy_reduction);
    for (int depth = 0; depth < 80; ++depth) {
        for (int number = 0; number < 80; ++number) {
            REQUIRE(reduction(depth, number) >= 0);
            REQUIRE(reduction(depth, number + 1) >= reduction(depth, number));
            REQUIRE(reduction(depth + 1, number) >= reduction(depth, number));
        }
    }
}

TEST_CASE("noisy moves are reduced no more than quiet ones", "[lmr]") {
    for (int depth = 0; depth < 70; ++depth) {
        for (int number = 0; number < 70; ++number)
            REQUIRE(noisy_reduction(depth, number) <= quiet_reduction(depth, number));
    }
}

TEST_CASE("the first move is reduced by less than a ply", "[lmr]") {
    for (int depth = 0; depth < 70; ++depth) {
        CHECK(quiet_reduction(depth, 1) < lmr_unit);
        CHECK(noisy_reduction(depth, 1) < lmr_unit);
    }
}

TEST_CASE("reductions are a base plus a product of logarithms", "[lmr]") {
    const auto expected = [](int base, int divisor, int depth, int number) {
        const double plies = base / 100.0 + std::log(depth) * std::log(number) * 100.0 / divisor;
        return lmr_unit * std::max(0.0, plies);
    };
    const auto depth = GENERATE(1, 2, 3, 8, 10, 20, 63);
    const auto number = GENERATE(1, 2, 3, 4, 20, 40, 63);
    CAPTURE(depth, number);
    // Rounded down.
    CHECK(quiet_reduction(depth, number)
          == Approx(expected(parameters::lmr_base, parameters::lmr_divisor, depth, number))
                 .margin(1));
    CHECK(noisy_reduction(depth, number)
          == Approx(
                 expected(parameters::lmr_noisy_base, parameters::lmr_noisy_divisor, depth, number))
                 .margin(1));
}

TEST_CASE("depths and move counts beyond the table count as its last", "[lmr]") {
    CHECK(quiet_reduction(1'000, 1'000) == quiet_reduction(63, 63));
    CHECK(noisy_reduction(239, 5) == noisy_reduction(63, 5));
    CHECK(quiet_reduction(-3, 10) == 0);
    CHECK(noisy_reduction(10, -3) == 0);
}
