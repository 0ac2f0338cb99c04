#include "engine/evaluate/nnue/pawn_pair_cache.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "engine/evaluate/nnue/forward.hpp"

#include "tests/catch.hpp"
#include "tests/engine/evaluate/nnue/random_network.hpp"
#include "tests/engine/random_positions.hpp"

using namespace engine::nnue;
using tests::RandomNetwork;

TEST_CASE("the cache's sums of pawn pairs are those computed from nothing", "[nnue]") {
    const auto version = GENERATE(5U, 6U);
    const auto network = Network::read(RandomNetwork{64, 11, version}.file());
    REQUIRE(network);
    PawnPairCache cache{**network, plain_kernels};
    // Far more pawn structures than the cache has entries, many of them twice in a row.
    const auto positions = tests::random_positions(40'000, 31);
    std::set<std::pair<std::uint64_t, std::uint64_t>> structures;
    for (const auto& position : positions) {
        structures.emplace(pawns_of(position)[0].bits(), pawns_of(position)[1].bits());
        for (const auto color : core::both_colors) {
            for (const bool mirrored : {false, true}) {
                const Perspective perspective{color, mirrored, 0};
                const auto expected = aligned_values(64);
                std::fill_n(expected.get(), 64, Value{0});
                change_pawn_pairs(**network, plain_kernels, perspective, {{}, expected.get()},
                                  {pawns_of(position), expected.get()});
                const Value* const sums = cache.sums(position, perspective);
                REQUIRE(std::equal(sums, sums + 64, expected.get()));
            }
        }
    }
    CHECK(structures.size() > 1'500);
}
