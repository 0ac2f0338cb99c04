#include "engine/score.hpp"

#include "tests/catch.hpp"

using namespace engine;

TEST_CASE("a mate in any number of plies that a search can reach is decisive", "[score]") {
    for (int plies = 0; plies <= max_ply; ++plies) {
        CHECK(is_decisive(mate_in(plies)));
        CHECK(is_decisive(mated_in(plies)));
        CHECK(plies_to_mate(mate_in(plies)) == plies);
        CHECK(plies_to_mate(mated_in(plies)) == plies);
        CHECK(mate_in(plies) == -mated_in(plies));
    }
    CHECK_FALSE(is_decisive(draw));
    CHECK_FALSE(is_decisive(decisive - 1));
    CHECK_FALSE(is_decisive(1 - decisive));
    CHECK(infinite > mate_in(0));
}
