#include "engine/win_rate.hpp"

#include <algorithm>
#include <cstdlib>

#include "tests/catch.hpp"
#include "tests/core/positions.hpp"

using namespace engine;

TEST_CASE("material is counted as beginners learn it", "[win_rate]") {
    CHECK(material_of(core::Position::start()) == 78);
    CHECK(material_of(tests::position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) == 0);
    CHECK(material_of(tests::position_of("1n2k3/1p6/8/8/8/8/1R4Q1/2B1K3 w - - 0 1")) == 21);
}

TEST_CASE("chances add up, and grow with the score", "[win_rate]") {
    const auto* const fen =
        GENERATE("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/pp3r2/8/8/8/8/PP3R2/4K3 b - - 0 1",
                 "r1bq1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    const auto position = tests::position_of(fen);
    Chances before = chances_of(-decisive + 1, position);
    for (Score score = -6'000; score <= 6'000; score += 7) {
        const Chances now = chances_of(score, position);
        CAPTURE(fen, score);
        REQUIRE(now.win + now.draw + now.loss == 1000);
        REQUIRE(std::min({now.win, now.draw, now.loss}) >= 0);
        REQUIRE(now.win >= before.win);
        REQUIRE(now.loss <= before.loss);
        const Chances opposite = chances_of(-score, position);
        REQUIRE(opposite == Chances{now.loss, now.draw, now.win});
        before = now;
    }
    CHECK(chances_of(decisive - 1, position).win > 990);
}

TEST_CASE("a mate is certain", "[win_rate]") {
    CHECK(chances_of(mate_in(7), core::Position::start()) == Chances{1000, 0, 0});
    CHECK(chances_of(mated_in(0), core::Position::start()) == Chances{0, 0, 1000});
    CHECK(told(mate_in(7)) == mate_in(7));
    CHECK(told(mated_in(12)) == mated_in(12));
}

TEST_CASE("where nobody can mate, a draw is certain", "[win_rate]") {
    for (const char* fen : {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
                            "4k1n1/8/8/8/8/8/8/4K3 w - - 0 1"})
        CHECK(chances_of(300, tests::position_of(fen)) == Chances{0, 1000, 0});
}

TEST_CASE("with a hundred centipawns every second middlegame is won", "[win_rate]") {
    const auto position =
        tests::position_of("r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R2Q1RK1 w - - 0 1");
    REQUIRE(material_of(position) == 62);
    Score score = 0;
    while (told(score) < 100)
        ++score;
    CHECK(std::abs(chances_of(score, position).win - 500) <= 15);
}

TEST_CASE("what is told is symmetrical and never a mate", "[win_rate]") {
    CHECK(told(0) == 0);
    CHECK(told(-123) == -told(123));
    CHECK_FALSE(is_decisive(told(decisive - 1)));
    CHECK_FALSE(is_decisive(told(-decisive + 1)));
}
