#include "engine/wdl.hpp"

#include <algorithm>
#include <cstdlib>

#include "tests/catch.hpp"
#include "tests/core/positions.hpp"

using namespace engine;

TEST_CASE("material counts 1, 3, 3, 5 and 9", "[wdl]") {
    CHECK(material_of(core::Position::start()) == 78);
    CHECK(material_of(tests::position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) == 0);
    CHECK(material_of(tests::position_of("1n2k3/1p6/8/8/8/8/1R4Q1/2B1K3 w - - 0 1")) == 21);
}

TEST_CASE("wdl adds up to 1000, and the win rate grows with the score", "[wdl]") {
    const auto* const fen =
        GENERATE("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/pp3r2/8/8/8/8/PP3R2/4K3 b - - 0 1",
                 "r1bq1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    const auto position = tests::position_of(fen);
    Wdl before = wdl(-decisive + 1, position);
    for (Score score = -6'000; score <= 6'000; score += 7) {
        const Wdl now = wdl(score, position);
        CAPTURE(fen, score);
        REQUIRE(now.win + now.draw + now.loss == 1000);
        REQUIRE(std::min({now.win, now.draw, now.loss}) >= 0);
        REQUIRE(now.win >= before.win);
        REQUIRE(now.loss <= before.loss);
        const Wdl opposite = wdl(-score, position);
        REQUIRE(opposite == Wdl{now.loss, now.draw, now.win});
        before = now;
    }
    CHECK(wdl(decisive - 1, position).win > 990);
}

TEST_CASE("a mate score is a certain win or loss", "[wdl]") {
    CHECK(wdl(mate_in(7), core::Position::start()) == Wdl{1000, 0, 0});
    CHECK(wdl(mated_in(0), core::Position::start()) == Wdl{0, 0, 1000});
    CHECK(normalised(mate_in(7)) == mate_in(7));
    CHECK(normalised(mated_in(12)) == mated_in(12));
}

TEST_CASE("with insufficient material a draw is certain", "[wdl]") {
    for (const char* fen : {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
                            "4k1n1/8/8/8/8/8/8/4K3 w - - 0 1"})
        CHECK(wdl(300, tests::position_of(fen)) == Wdl{0, 1000, 0});
}

TEST_CASE("100 centipawns win every second middlegame", "[wdl]") {
    const auto position =
        tests::position_of("r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R2Q1RK1 w - - 0 1");
    REQUIRE(material_of(position) == 62);
    Score score = 0;
    while (normalised(score) < 100)
        ++score;
    CHECK(std::abs(wdl(score, position).win - 500) <= 15);
}

TEST_CASE("a normalised score is symmetric and never becomes a mate", "[wdl]") {
    CHECK(normalised(0) == 0);
    CHECK(normalised(-123) == -normalised(123));
    CHECK_FALSE(is_decisive(normalised(decisive - 1)));
    CHECK_FALSE(is_decisive(normalised(-decisive + 1)));
}
