#include "tools/perft/suite.hpp"

#include "tests/catch.hpp"
#include "tests/test_data.hpp"

using namespace tools::perft;

TEST_CASE("a line of a suite is a position and its counts", "[suite]") {
    const auto known = read_known_position(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ; D2  400 ;");
    REQUIRE(known);
    CHECK(known->position == core::Position::start());
    REQUIRE(known->counts.size() == 2);
    CHECK(known->counts[1].depth == 2);
    CHECK(known->counts[1].leaves == 400);
}

TEST_CASE("a line without counts is a position", "[suite]") {
    const auto known = read_known_position("4k3/8/8/8/8/8/8/4K3 w - -");
    REQUIRE(known);
    CHECK(known->counts.empty());
}

TEST_CASE("a suite line without a position or with a bad count is refused", "[suite]") {
    const auto line =
        GENERATE("", ";D1 20", "4k3/8/8/8/8/8/8/4K3 w - - ;D1", "4k3/8/8/8/8/8/8/4K3 w - - ;1 5",
                 "4k3/8/8/8/8/8/8/4K3 w - - ;D0 1", "4k3/8/8/8/8/8/8/4K3 w - - ;Dx 5",
                 "4k3/8/8/8/8/8/8/4K3 w - - ;D1 -5", "4k3/8/8/8/8/8/8/4K3 w - - ;D1 5 6",
                 "4k3/8/8/8/8/8/8/8 w - - ;D1 5");
    CAPTURE(line);
    CHECK_FALSE(read_known_position(line));
}

TEST_CASE("a suite that cannot be read is an error", "[suite]") {
    const auto suite = read_suite("no/such/file.epd");
    REQUIRE_FALSE(suite);
    CHECK(suite.reason() == "no/such/file.epd cannot be read");
}

TEST_CASE("a suite without positions is refused", "[suite]") {
    CHECK_FALSE(read_suite(tests::data_path("")));
}
