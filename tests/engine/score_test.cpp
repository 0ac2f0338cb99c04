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

TEST_CASE("wins by the tables stand between estimates and mates", "[score]") {
    for (int plies = 0; plies <= max_ply; ++plies) {
        const Score score = tablebase_win - plies;
        CHECK(is_tablebase_result(score));
        CHECK(is_tablebase_result(-score));
        CHECK_FALSE(is_mate(score));
        CHECK(score < mate_in(max_ply));
        CHECK(score > clamp_eval(infinite));
        CHECK(centipawns(score) == 20'000 - plies);
        CHECK(centipawns(-score) == plies - 20'000);
    }
    CHECK(centipawns(clamp_eval(infinite)) < centipawns(tablebase_win - max_ply));
    CHECK(centipawns(-123) == -123);
}
