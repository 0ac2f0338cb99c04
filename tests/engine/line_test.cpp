#include "engine/search/node.hpp"

#include "tests/catch.hpp"

using namespace engine;
using core::Move;

namespace {

Move numbered(int number) {
    return Move::from_bits(static_cast<std::uint16_t>(number));
}

}  // namespace

TEST_CASE("a line begins with its move and goes on with the rest", "[line]") {
    Line rest;
    CHECK(rest.moves().empty());
    Line line;
    line.set(numbered(3), rest);
    CHECK(line.moves() == std::vector{numbered(3)});
    Line longer;
    longer.set(numbered(2), line);
    CHECK(longer.moves() == std::vector{numbered(2), numbered(3)});
    longer.set(numbered(5), rest);
    CHECK(longer.moves() == std::vector{numbered(5)});
}

TEST_CASE("a cleared line is empty", "[line]") {
    Line line;
    line.set(numbered(3), {});
    line.clear();
    CHECK(line.moves().empty());
}

TEST_CASE("a line never grows beyond what a search can reach", "[line]") {
    Line line;
    for (int i = 1; i <= max_ply + 20; ++i) {
        Line longer;
        longer.set(numbered(i), line);
        line = longer;
    }
    const auto moves = line.moves();
    REQUIRE(moves.size() == static_cast<std::size_t>(max_ply));
    CHECK(moves.front() == numbered(max_ply + 20));
    CHECK(moves.back() == numbered(21));
}

TEST_CASE("tried moves beyond the room for them are not kept", "[line]") {
    TriedMoves tried;
    for (int i = 0; i < 300; ++i)
        tried.add(numbered(i));
    CHECK(tried.end() - tried.begin() == 64);
    CHECK(*tried.begin() == numbered(0));
    tried.clear();
    CHECK(tried.begin() == tried.end());
}
