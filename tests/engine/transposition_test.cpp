#include "engine/search/transposition.hpp"

#include <set>

#include "core/zobrist.hpp"

#include "tests/catch.hpp"

using namespace engine;
using core::operator""_sq;

namespace {

constexpr core::Key some_key = 0x1234'5678'9ABC'DEF0;
const core::Move some_move = core::Move::normal("e2"_sq, "e4"_sq);

Finding finding_of_depth(int depth) {
    Finding finding;
    finding.depth = depth;
    finding.bound = Bound::lower;
    return finding;
}

Finding finding_of_score(Score score) {
    Finding finding = finding_of_depth(5);
    finding.score = score;
    return finding;
}

/// Keys that share a place in a table of one MB.
core::Key neighbour(unsigned number) {
    return 0xABCD'0000'0000'0000 + number;
}
constexpr unsigned places = 4;

}  // namespace

TEST_CASE("a table gives back what was stored", "[transposition]") {
    const auto score = GENERATE(0, 1, -1, 250, -31'749, 31'749);
    const auto evaluation =
        GENERATE(std::optional<Score>{}, std::optional{0}, std::optional{-31'749}, 31'749);
    const auto bound = GENERATE(Bound::upper, Bound::lower, Bound::exact);
    const auto depth = GENERATE(0, 1, 239, 255);
    const bool on_pv = GENERATE(true, false);
    CAPTURE(score, depth, on_pv);

    TranspositionTable table{1};
    table.store(some_key, 3, {some_move, score, evaluation, depth, bound, on_pv});
    const auto found = table.find(some_key, 17);
    REQUIRE(found);
    CHECK(found->move() == some_move);
    CHECK(found->score() == score);
    CHECK(found->evaluation() == evaluation);
    CHECK(found->depth() == depth);
    CHECK(found->bound() == bound);
    CHECK(found->on_pv() == on_pv);
}

TEST_CASE("every kind of move comes back", "[transposition]") {
    const auto move =
        GENERATE(core::Move::normal("a1"_sq, "h8"_sq), core::Move::castling("e1"_sq, "a1"_sq),
                 core::Move::en_passant("e5"_sq, "d6"_sq),
                 core::Move::promotion("a7"_sq, "a8"_sq, core::PieceType::knight),
                 core::Move::promotion("h2"_sq, "h1"_sq, core::PieceType::queen));
    TranspositionTable table{1};
    auto finding = finding_of_depth(3);
    finding.move = move;
    table.store(some_key, 0, finding);
    CHECK(table.find(some_key, 0)->move() == move);
}

TEST_CASE("what was not stored is not found", "[transposition]") {
    TranspositionTable table{1};
    CHECK_FALSE(table.find(some_key, 0));
    table.store(some_key, 0, finding_of_depth(3));
    CHECK_FALSE(table.find(some_key + 1, 0));
    CHECK_FALSE(table.find(~some_key, 0));
}

TEST_CASE("a mate is as far from the node that finds it as from the one that stored it",
          "[transposition]") {
    // The distance is the one from the node where the entry stands.
    const auto [distance, stored_at, found_at] = GENERATE(table<int, int, int>({
        {0, 0, 0},
        {0, 7, 3},
        {1, 0, 100},
        {1, 239, 0},
        {9, 4, 20},
        {9, 20, 4},
        {100, 100, 0},
        {120, 0, 120},
        {200, 39, 40},
        {240, 0, 0},
    }));
    CAPTURE(distance, stored_at, found_at);
    TranspositionTable table{1};
    table.store(some_key, stored_at, finding_of_score(mate_in(stored_at + distance)));
    CHECK(table.find(some_key, found_at)->score() == mate_in(found_at + distance));
    table.store(some_key + 1, stored_at, finding_of_score(mated_in(stored_at + distance)));
    CHECK(table.find(some_key + 1, found_at)->score() == mated_in(found_at + distance));
}

TEST_CASE("a score just short of mate is no mate and keeps its value", "[transposition]") {
    const auto score = GENERATE(decisive - 1, -decisive + 1);
    TranspositionTable table{1};
    table.store(some_key, 200, finding_of_score(score));
    CHECK(table.find(some_key, 3)->score() == score);
}

TEST_CASE("an entry without a move keeps the move that was known", "[transposition]") {
    TranspositionTable table{1};
    auto finding = finding_of_depth(4);
    finding.move = some_move;
    table.store(some_key, 0, finding);
    finding.move.reset();
    finding.depth = 9;
    table.store(some_key, 0, finding);
    CHECK(table.find(some_key, 0)->move() == some_move);
    CHECK(table.find(some_key, 0)->depth() == 9);
}

TEST_CASE("a new move takes the place of the old one", "[transposition]") {
    const auto other = core::Move::normal("d2"_sq, "d4"_sq);
    TranspositionTable table{1};
    auto finding = finding_of_depth(4);
    finding.move = some_move;
    table.store(some_key, 0, finding);
    finding.move = other;
    table.store(some_key, 0, finding);
    CHECK(table.find(some_key, 0)->move() == other);
}

TEST_CASE("a deep result is not lost to a shallow bound of the same search", "[transposition]") {
    TranspositionTable table{1};
    table.store(some_key, 0, finding_of_depth(20));
    table.store(some_key, 0, finding_of_depth(2));
    CHECK(table.find(some_key, 0)->depth() == 20);

    SECTION("but to an exact score") {
        auto exact = finding_of_depth(2);
        exact.bound = Bound::exact;
        table.store(some_key, 0, exact);
        CHECK(table.find(some_key, 0)->depth() == 2);
    }
    SECTION("and to whatever a later search finds") {
        table.grow_older();
        table.store(some_key, 0, finding_of_depth(2));
        CHECK(table.find(some_key, 0)->depth() == 2);
    }
}

TEST_CASE("positions that share a place are kept side by side while there is room",
          "[transposition]") {
    const auto depth = GENERATE(0, 1, 7);
    const auto searches = GENERATE(0, 1, 31, 32, 33, 64);
    CAPTURE(depth, searches);
    TranspositionTable table{1};
    for (int i = 0; i < searches; ++i)
        table.grow_older();
    for (unsigned i = 0; i < places; ++i)
        table.store(neighbour(i), 0, finding_of_depth(depth));
    for (unsigned i = 0; i < places; ++i) {
        CAPTURE(i);
        CHECK(table.find(neighbour(i), 0));
    }
}

TEST_CASE("when there is no room the shallowest goes", "[transposition]") {
    const auto shallowest = GENERATE(range(0U, places));
    TranspositionTable table{1};
    table.grow_older();
    for (unsigned i = 0; i < places; ++i)
        table.store(neighbour(i), 0, finding_of_depth(i == shallowest ? 3 : 8));
    table.store(neighbour(99), 0, finding_of_depth(1));
    CHECK(table.find(neighbour(99), 0));
    for (unsigned i = 0; i < places; ++i)
        CHECK(table.find(neighbour(i), 0).has_value() == (i != shallowest));
}

TEST_CASE("when there is no room what an old search left goes before what is new",
          "[transposition]") {
    const auto oldest = GENERATE(range(0U, places));
    TranspositionTable table{1};
    table.grow_older();
    table.store(neighbour(oldest), 0, finding_of_depth(9));
    table.grow_older();
    for (unsigned i = 0; i < places; ++i) {
        if (i != oldest)
            table.store(neighbour(i), 0, finding_of_depth(3));
    }
    table.store(neighbour(99), 0, finding_of_depth(1));
    CHECK(table.find(neighbour(99), 0));
    for (unsigned i = 0; i < places; ++i)
        CHECK(table.find(neighbour(i), 0).has_value() == (i != oldest));
}

TEST_CASE("a much deeper result outlives a search", "[transposition]") {
    TranspositionTable table{1};
    table.grow_older();
    table.store(neighbour(0), 0, finding_of_depth(30));
    table.grow_older();
    for (unsigned i = 1; i <= places; ++i)
        table.store(neighbour(i), 0, finding_of_depth(5));
    CHECK(table.find(neighbour(0), 0));
}

TEST_CASE("a table may have any size", "[transposition]") {
    const std::size_t megabytes = GENERATE(1U, 2U, 3U, 5U, 7U, 13U, 17U, 33U);
    CAPTURE(megabytes);
    TranspositionTable table{8};
    REQUIRE(table.resize(megabytes));
    for (const core::Key key : {core::Key{1}, some_key, ~core::Key{0}, core::Key{1} << 63}) {
        table.store(key, 0, finding_of_depth(6));
        CHECK(table.find(key, 0));
    }
}

TEST_CASE("a table of a new size is empty", "[transposition]") {
    TranspositionTable table{1};
    table.store(some_key, 0, finding_of_depth(6));
    REQUIRE(table.resize(2));
    CHECK_FALSE(table.find(some_key, 0));
    CHECK(table.permill_used() == 0);
}

TEST_CASE("a table that cannot grow stays as it was", "[transposition]") {
    // More than any address space holds; and what would be nothing if the bits ran over.
    const std::size_t megabytes = GENERATE(std::size_t{1} << 30, std::size_t{1} << 43);
    TranspositionTable table{1};
    table.store(some_key, 0, finding_of_depth(6));
    CHECK_FALSE(table.resize(megabytes));
    CHECK(table.find(some_key, 0)->depth() == 6);
    table.store(some_key + 1, 0, finding_of_depth(2));
    CHECK(table.find(some_key + 1, 0));
}

TEST_CASE("a table without memory remembers nothing and hurts nobody", "[transposition]") {
    TranspositionTable table{std::size_t{1} << 30};
    table.store(some_key, 0, finding_of_depth(6));
    table.prefetch(some_key);
    table.grow_older();
    table.clear();
    CHECK_FALSE(table.find(some_key, 0));
    CHECK(table.permill_used() == 0);
    CHECK(table.resize(1));
    table.store(some_key, 0, finding_of_depth(6));
    CHECK(table.find(some_key, 0));
}

TEST_CASE("a cleared table is empty", "[transposition]") {
    TranspositionTable table{1};
    for (unsigned i = 1; i < 1000; ++i)
        table.store(core::Key{i} << 44, 0, finding_of_depth(6));
    CHECK(table.permill_used() > 0);
    table.clear();
    CHECK(table.permill_used() == 0);
    for (unsigned i = 1; i < 1000; ++i)
        REQUIRE_FALSE(table.find(core::Key{i} << 44, 0));
}

TEST_CASE("how full a table is counts what the present search has stored", "[transposition]") {
    TranspositionTable table{1};
    CHECK(table.permill_used() == 0);
    // The first clusters of 16,384: one entry each, then four each.
    constexpr core::Key step = core::Key{1} << 50;
    for (unsigned i = 0; i < 16'384; ++i)
        table.store(step * i + 1, 0, finding_of_depth(6));
    CHECK(table.permill_used() == 250);
    for (unsigned i = 0; i < 16'384; ++i) {
        for (unsigned other = 2; other <= places; ++other)
            table.store(step * i + other, 0, finding_of_depth(6));
    }
    CHECK(table.permill_used() == 1000);
    table.grow_older();
    CHECK(table.permill_used() == 0);
}
