#include "engine/search/tt.hpp"

#include <set>

#include "core/zobrist.hpp"

#include "tests/catch.hpp"

using namespace engine;
using namespace engine::search;
using core::operator""_sq;

namespace {

constexpr core::Key some_key = 0x1234'5678'9ABC'DEF0;
const core::Move some_move = core::Move::normal("e2"_sq, "e4"_sq);

TTData data_of_depth(int depth) {
    TTData data;
    data.depth = depth;
    data.bound = Bound::lower;
    return data;
}

TTData data_of_score(Score score) {
    TTData data = data_of_depth(5);
    data.score = score;
    return data;
}

/// Keys that share a cluster in a table of one MB.
core::Key neighbour(unsigned number) {
    return 0xABCD'0000'0000'0000 + number;
}
constexpr unsigned cluster_size = 5;

}  // namespace

TEST_CASE("a probe returns what was stored", "[tt]") {
    const auto score = GENERATE(0, 1, -1, 250, -31'508, 31'508);
    const auto eval =
        GENERATE(std::optional<Score>{}, std::optional{0}, std::optional{-31'508}, 31'508);
    const auto bound = GENERATE(Bound::upper, Bound::lower, Bound::exact);
    const auto depth = GENERATE(0, 1, 239, 255);
    const bool tt_pv = GENERATE(true, false);
    CAPTURE(score, depth, tt_pv);

    TranspositionTable table{1};
    table.store(some_key, 3, {some_move, score, eval, depth, bound, tt_pv});
    const auto found = table.probe(some_key, 17);
    REQUIRE(found);
    CHECK(found->move() == some_move);
    CHECK(found->score() == score);
    CHECK(found->eval() == eval);
    CHECK(found->depth() == depth);
    CHECK(found->bound() == bound);
    CHECK(found->tt_pv() == tt_pv);
}

TEST_CASE("every kind of move comes back", "[tt]") {
    const auto move =
        GENERATE(core::Move::normal("a1"_sq, "h8"_sq), core::Move::castling("e1"_sq, "a1"_sq),
                 core::Move::en_passant("e5"_sq, "d6"_sq),
                 core::Move::promotion("a7"_sq, "a8"_sq, core::PieceType::knight),
                 core::Move::promotion("h2"_sq, "h1"_sq, core::PieceType::queen));
    TranspositionTable table{1};
    auto data = data_of_depth(3);
    data.move = move;
    table.store(some_key, 0, data);
    CHECK(table.probe(some_key, 0)->move() == move);
}

TEST_CASE("a position that was not stored is not found", "[tt]") {
    TranspositionTable table{1};
    CHECK_FALSE(table.probe(some_key, 0));
    table.store(some_key, 0, data_of_depth(3));
    CHECK_FALSE(table.probe(some_key + 1, 0));
    CHECK_FALSE(table.probe(~some_key, 0));
}

TEST_CASE("a mate keeps its distance from the node, whatever the ply", "[tt]") {
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
    table.store(some_key, stored_at, data_of_score(mate_in(stored_at + distance)));
    CHECK(table.probe(some_key, found_at)->score() == mate_in(found_at + distance));
    table.store(some_key + 1, stored_at, data_of_score(mated_in(stored_at + distance)));
    CHECK(table.probe(some_key + 1, found_at)->score() == mated_in(found_at + distance));
}

TEST_CASE("a score just short of mate is no mate and keeps its value", "[tt]") {
    const auto score = GENERATE(decisive - 1, -decisive + 1);
    TranspositionTable table{1};
    table.store(some_key, 200, data_of_score(score));
    CHECK(table.probe(some_key, 3)->score() == score);
}

TEST_CASE("an entry without a move keeps the move that was known", "[tt]") {
    TranspositionTable table{1};
    auto data = data_of_depth(4);
    data.move = some_move;
    table.store(some_key, 0, data);
    data.move.reset();
    data.depth = 9;
    table.store(some_key, 0, data);
    CHECK(table.probe(some_key, 0)->move() == some_move);
    CHECK(table.probe(some_key, 0)->depth() == 9);
}

TEST_CASE("a new move takes the place of the old one", "[tt]") {
    const auto other = core::Move::normal("d2"_sq, "d4"_sq);
    TranspositionTable table{1};
    auto data = data_of_depth(4);
    data.move = some_move;
    table.store(some_key, 0, data);
    data.move = other;
    table.store(some_key, 0, data);
    CHECK(table.probe(some_key, 0)->move() == other);
}

TEST_CASE("a deep result is not lost to a shallow bound of the same search", "[tt]") {
    TranspositionTable table{1};
    table.store(some_key, 0, data_of_depth(20));
    table.store(some_key, 0, data_of_depth(2));
    CHECK(table.probe(some_key, 0)->depth() == 20);

    SECTION("but to an exact score") {
        auto exact = data_of_depth(2);
        exact.bound = Bound::exact;
        table.store(some_key, 0, exact);
        CHECK(table.probe(some_key, 0)->depth() == 2);
    }
    SECTION("and to any result of a later search") {
        table.new_search();
        table.store(some_key, 0, data_of_depth(2));
        CHECK(table.probe(some_key, 0)->depth() == 2);
    }
}

TEST_CASE("positions of one cluster are kept side by side while there is room", "[tt]") {
    const auto depth = GENERATE(0, 1, 7);
    const auto searches = GENERATE(0, 1, 31, 32, 33, 64);
    CAPTURE(depth, searches);
    TranspositionTable table{1};
    for (int i = 0; i < searches; ++i)
        table.new_search();
    for (unsigned i = 0; i < cluster_size; ++i)
        table.store(neighbour(i), 0, data_of_depth(depth));
    for (unsigned i = 0; i < cluster_size; ++i) {
        CAPTURE(i);
        CHECK(table.probe(neighbour(i), 0));
    }
}

TEST_CASE("in a full cluster the shallowest entry is replaced", "[tt]") {
    const auto shallowest = GENERATE(range(0U, cluster_size));
    TranspositionTable table{1};
    table.new_search();
    for (unsigned i = 0; i < cluster_size; ++i)
        table.store(neighbour(i), 0, data_of_depth(i == shallowest ? 3 : 8));
    table.store(neighbour(99), 0, data_of_depth(1));
    CHECK(table.probe(neighbour(99), 0));
    for (unsigned i = 0; i < cluster_size; ++i)
        CHECK(table.probe(neighbour(i), 0).has_value() == (i != shallowest));
}

TEST_CASE("in a full cluster entries of older searches are replaced first", "[tt]") {
    const auto oldest = GENERATE(range(0U, cluster_size));
    TranspositionTable table{1};
    table.new_search();
    table.store(neighbour(oldest), 0, data_of_depth(9));
    table.new_search();
    for (unsigned i = 0; i < cluster_size; ++i) {
        if (i != oldest)
            table.store(neighbour(i), 0, data_of_depth(3));
    }
    table.store(neighbour(99), 0, data_of_depth(1));
    CHECK(table.probe(neighbour(99), 0));
    for (unsigned i = 0; i < cluster_size; ++i)
        CHECK(table.probe(neighbour(i), 0).has_value() == (i != oldest));
}

TEST_CASE("a much deeper result outlives a search", "[tt]") {
    TranspositionTable table{1};
    table.new_search();
    table.store(neighbour(0), 0, data_of_depth(30));
    table.new_search();
    for (unsigned i = 1; i <= cluster_size; ++i)
        table.store(neighbour(i), 0, data_of_depth(5));
    CHECK(table.probe(neighbour(0), 0));
}

TEST_CASE("a table may have any size", "[tt]") {
    const std::size_t megabytes = GENERATE(1U, 2U, 3U, 5U, 7U, 13U, 17U, 33U);
    CAPTURE(megabytes);
    TranspositionTable table{8};
    REQUIRE(table.resize(megabytes, 2));
    for (const core::Key key : {core::Key{1}, some_key, ~core::Key{0}, core::Key{1} << 63}) {
        table.store(key, 0, data_of_depth(6));
        CHECK(table.probe(key, 0));
    }
}

TEST_CASE("a table of a new size is empty", "[tt]") {
    TranspositionTable table{1};
    table.store(some_key, 0, data_of_depth(6));
    REQUIRE(table.resize(2, 1));
    CHECK_FALSE(table.probe(some_key, 0));
    CHECK(table.hashfull() == 0);
}

TEST_CASE("a table that cannot grow keeps its size and is empty", "[tt]") {
    // More than any address space holds; and a size that would overflow to nothing.
    const std::size_t megabytes = GENERATE(std::size_t{1} << 30, std::size_t{1} << 43);
    TranspositionTable table{1};
    table.store(some_key, 0, data_of_depth(6));
    CHECK_FALSE(table.resize(megabytes, 2));
    CHECK_FALSE(table.probe(some_key, 0));
    table.store(some_key + 1, 0, data_of_depth(2));
    CHECK(table.probe(some_key + 1, 0));
}

TEST_CASE("a table without memory stores nothing and is harmless", "[tt]") {
    TranspositionTable table{std::size_t{1} << 30};
    table.store(some_key, 0, data_of_depth(6));
    table.prefetch(some_key);
    table.new_search();
    table.clear(1);
    CHECK_FALSE(table.probe(some_key, 0));
    CHECK(table.hashfull() == 0);
    CHECK(table.resize(1, 1));
    table.store(some_key, 0, data_of_depth(6));
    CHECK(table.probe(some_key, 0));
}

TEST_CASE("a cleared table is empty, however many threads clear it", "[tt]") {
    const int threads = GENERATE(1, 2, 5);
    TranspositionTable table{100};
    for (unsigned i = 1; i < 1000; ++i)
        table.store(core::Key{i} << 44, 0, data_of_depth(6));
    CHECK(table.hashfull() > 0);
    table.clear(threads);
    CHECK(table.hashfull() == 0);
    for (unsigned i = 1; i < 1000; ++i)
        REQUIRE_FALSE(table.probe(core::Key{i} << 44, 0));
}

TEST_CASE("hashfull counts what the present search has stored", "[tt]") {
    TranspositionTable table{1};
    CHECK(table.hashfull() == 0);
    // All 16,384 clusters: one entry each, then as many as they hold.
    constexpr core::Key step = core::Key{1} << 50;
    for (unsigned i = 0; i < 16'384; ++i)
        table.store(step * i + 1, 0, data_of_depth(6));
    CHECK(table.hashfull() == static_cast<int>(1000 / cluster_size));
    for (unsigned i = 0; i < 16'384; ++i) {
        for (unsigned other = 2; other <= cluster_size; ++other)
            table.store(step * i + other, 0, data_of_depth(6));
    }
    CHECK(table.hashfull() == 1000);
    table.new_search();
    CHECK(table.hashfull() == 0);
}

TEST_CASE("entries are found only with the salt they were stored with", "[tt]") {
    TranspositionTable table{1};
    const auto salts = {core::Key{0}, core::Key{1}, some_key, ~core::Key{0}};
    int depth = 0;
    for (const core::Key salt : salts) {
        CAPTURE(salt);
        table.set_salt(salt);
        CHECK_FALSE(table.probe(some_key, 0));
        table.store(some_key, 0, data_of_depth(++depth));
    }
    depth = 0;
    for (const core::Key salt : salts) {
        CAPTURE(salt);
        table.set_salt(salt);
        REQUIRE(table.probe(some_key, 0));
        CHECK(table.probe(some_key, 0)->depth() == ++depth);
    }
}
