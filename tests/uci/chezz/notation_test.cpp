#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;

namespace {

constexpr auto many_moves = "r3k2r/8/8/3pP3/8/8/6P1/R3K2R w KQkq d6 0 1";

}  // namespace

TEST_CASE("moves are read and written in chezz's notation", "[chezz]") {
    const auto text = GENERATE("e5e6", "e5d6", "e1g1", "e1c1", "h1h8", "g2g4");
    const auto move = read_move_text(tests::position_of(many_moves), text);
    REQUIRE(move);
    CHECK(move_text(*move) == text);
}

TEST_CASE("a promotion's letter is read in either case and written as a capital", "[chezz]") {
    const auto letter = GENERATE('q', 'n', 'b', 'r', 'Q', 'N', 'B', 'R');
    const auto move = read_move_text(tests::position_of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"),
                                     std::string{"a7a8"} + letter);
    REQUIRE(move);
    CHECK(move_text(*move) == std::string{"a7a8"} + static_cast<char>(letter & ~0x20));
}

TEST_CASE("other notations are rejected", "[chezz]") {
    const auto text = GENERATE("", "e5", "e5e", "O-O", "Kf1", "e1h1", "e1a1", "e5d6e.p", "e5e6Q",
                               "e5e6k", "e5e9", "i5e6", "e5e7", "a8a1", "e1e1", "e5e6 ", "E5E6");
    CAPTURE(text);
    CHECK_FALSE(read_move_text(tests::position_of(many_moves), text));
}

TEST_CASE("a promotion without its letter is rejected", "[chezz]") {
    CHECK_FALSE(read_move_text(tests::position_of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), "a7a8"));
}
