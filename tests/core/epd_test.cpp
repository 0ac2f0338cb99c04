#include "core/epd.hpp"

#include "tests/catch.hpp"

using namespace core;

TEST_CASE("an EPD line is a position and its operations", "[epd]") {
    const auto epd = read_epd(
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rf1; acn 2000;; id \"a name; with a semicolon\";");
    REQUIRE(epd);
    CHECK(epd->fen == "4k3/8/8/8/8/8/8/4K2R w K -");
    CHECK(epd->position.castling_rooks() == Bitboard{"h1"_sq});
    REQUIRE(epd->operations.size() == 3);
    CHECK(epd->operations[0].opcode == "bm");
    CHECK(epd->operations[0].operands == "O-O Rf1");
    CHECK(epd->operations[1].operands == "2000");
    CHECK(epd->operations[2].operands == "a name; with a semicolon");
}

TEST_CASE("an EPD line may have the counters of a FEN", "[epd]") {
    const auto epd = read_epd("4k3/8/8/8/8/8/8/4K3 w - - 12 34;D1 5");
    REQUIRE(epd);
    CHECK(epd->position.halfmove_clock() == 12);
    CHECK(epd->position.fullmove_number() == 34);
    REQUIRE(epd->operations.size() == 1);
    CHECK(epd->operations[0].opcode == "D1");
    CHECK(epd->operations[0].operands == "5");
}

TEST_CASE("an EPD line without operations is a position", "[epd]") {
    const auto epd = read_epd("4k3/8/8/8/8/8/8/4K3 w - -");
    REQUIRE(epd);
    CHECK(epd->operations.empty());
}

TEST_CASE("an EPD line without a legal position is refused", "[epd]") {
    const auto line = GENERATE("", ";D1 20", "bm e4;", "4k3/8/8/8/8/8/8/8 w - - bm e4;",
                               "4k3/8/8/8/8/8/8/4K3 w -", "4k3/8/8/8/8/8/8/4K3 w - ;D1 5");
    CAPTURE(line);
    CHECK_FALSE(read_epd(line));
}
