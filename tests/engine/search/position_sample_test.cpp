#include "engine/search/position_sample.hpp"

#include <cstdlib>
#include <map>
#include <string>

#include "tests/catch.hpp"
#include "tests/core/positions.hpp"

using engine::search::PositionSample;

namespace {

/// Positions that differ in their move numbers.
core::Position numbered(int number) {
    return tests::position_of("4k3/8/8/8/8/8/8/R3K3 w - - 0 " + std::to_string(number));
}

}  // namespace

TEST_CASE("a sample of nothing is nothing", "[position_sample]") {
    CHECK_FALSE(PositionSample{1}.position());
}

TEST_CASE("each position offered is kept as often", "[position_sample]") {
    constexpr int offered = 5;
    constexpr int samples = 10'000;
    std::map<int, int> kept;
    for (int seed = 0; seed < samples; ++seed) {
        PositionSample sample{static_cast<std::uint64_t>(seed)};
        for (int number = 1; number <= offered; ++number)
            sample.offer(numbered(number));
        REQUIRE(sample.position());
        ++kept[sample.position()->fullmove_number()];
    }
    CHECK(kept.size() == offered);
    // Four standard deviations around a fifth.
    for (const auto& [number, count] : kept)
        CHECK(std::abs(count - samples / offered) < 160);
}

TEST_CASE("the same seed keeps the same position", "[position_sample]") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        PositionSample one{seed};
        PositionSample other{seed};
        for (int number = 1; number <= 100; ++number) {
            one.offer(numbered(number));
            other.offer(numbered(number));
        }
        CHECK(one.position() == other.position());
    }
}
