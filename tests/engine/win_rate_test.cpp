#include "engine/win_rate.hpp"

#include "core/fen.hpp"

#include "tests/catch.hpp"
#include "tests/core/positions.hpp"

using namespace engine;

TEST_CASE("material is counted as beginners learn it", "[win_rate]") {
    CHECK(material_of(core::Position::start()) == 78);
    CHECK(material_of(tests::position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) == 0);
    CHECK(material_of(tests::position_of("1n2k3/1p6/8/8/8/8/1R4Q1/2B1K3 w - - 0 1")) == 21);
}

TEST_CASE("chances add up, and grow with the score", "[win_rate]") {
    const int material = GENERATE(0, 5, 10, 24, 40, 58, 78, 200);
    Chances before = chances_of(-decisive + 1, material);
    for (Score score = -6'000; score <= 6'000; score += 7) {
        const Chances now = chances_of(score, material);
        CAPTURE(material, score);
        REQUIRE(now.win + now.draw + now.loss == 1000);
        REQUIRE(std::min({now.win, now.draw, now.loss}) >= 0);
        REQUIRE(now.win >= before.win);
        REQUIRE(now.loss <= before.loss);
        const Chances opposite = chances_of(-score, material);
        REQUIRE(opposite == Chances{now.loss, now.draw, now.win});
        before = now;
    }
    CHECK(chances_of(decisive - 1, material).win > 990);
}

TEST_CASE("a mate is certain", "[win_rate]") {
    CHECK(chances_of(mate_in(7), 40) == Chances{1000, 0, 0});
    CHECK(chances_of(mated_in(0), 40) == Chances{0, 0, 1000});
    CHECK(told(mate_in(7)) == mate_in(7));
    CHECK(told(mated_in(12)) == mated_in(12));
}

TEST_CASE("with a hundred centipawns every second game is won", "[win_rate]") {
    Score score = 0;
    while (told(score) < 100)
        ++score;
    CHECK(std::abs(chances_of(score, 58).win - 500) <= 5);
}

TEST_CASE("what is told is symmetrical and never a mate", "[win_rate]") {
    CHECK(told(0) == 0);
    CHECK(told(-123) == -told(123));
    CHECK_FALSE(is_decisive(told(decisive - 1)));
    CHECK_FALSE(is_decisive(told(-decisive + 1)));
}
