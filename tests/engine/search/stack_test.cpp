#include "engine/search/stack.hpp"

#include "tests/catch.hpp"

using namespace engine;
using namespace engine::search;
using core::Move;

namespace {

Move numbered(int number) {
    return Move::from_bits(static_cast<std::uint16_t>(number));
}

}  // namespace

TEST_CASE("a pv is a move followed by the pv of its child", "[stack]") {
    PrincipalVariation rest;
    CHECK(rest.moves().empty());
    PrincipalVariation pv;
    pv.set(numbered(3), rest);
    CHECK(pv.moves() == std::vector{numbered(3)});
    PrincipalVariation longer;
    longer.set(numbered(2), pv);
    CHECK(longer.moves() == std::vector{numbered(2), numbered(3)});
    longer.set(numbered(5), rest);
    CHECK(longer.moves() == std::vector{numbered(5)});
}

TEST_CASE("a cleared pv is empty", "[stack]") {
    PrincipalVariation pv;
    pv.set(numbered(3), {});
    pv.clear();
    CHECK(pv.moves().empty());
}

TEST_CASE("a pv is cut at the maximal ply", "[stack]") {
    PrincipalVariation pv;
    for (int i = 1; i <= max_ply + 20; ++i) {
        PrincipalVariation longer;
        longer.set(numbered(i), pv);
        pv = longer;
    }
    const auto moves = pv.moves();
    REQUIRE(moves.size() == static_cast<std::size_t>(max_ply));
    CHECK(moves.front() == numbered(max_ply + 20));
    CHECK(moves.back() == numbered(21));
}
