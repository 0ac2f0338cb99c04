#include "core/zobrist.hpp"

#include <set>
#include <string>
#include <vector>

#include "core/game.hpp"

#include "tests/core/positions.hpp"

using namespace core;
using tests::position_of;

TEST_CASE("keys match the examples of the Polyglot book format", "[zobrist]") {
    using Moves = std::vector<std::string>;
    const auto [moves, key] = GENERATE(table<Moves, Key>({
        {Moves{}, 0x463b96181691fc9cULL},
        {Moves{"e2e4"}, 0x823c9b50fd114196ULL},
        {Moves{"e2e4", "d7d5"}, 0x0756b94461c50fb0ULL},
        {Moves{"e2e4", "d7d5", "e4e5"}, 0x662fafb965db29d4ULL},
        {Moves{"e2e4", "d7d5", "e4e5", "f7f5"}, 0x22a48b5a8e47ff78ULL},
        {Moves{"e2e4", "d7d5", "e4e5", "f7f5", "e1e2"}, 0x652a607ca3f242c1ULL},
        {Moves{"e2e4", "d7d5", "e4e5", "f7f5", "e1e2", "e8f7"}, 0x00fdd303c946bdd9ULL},
        {Moves{"a2a4", "b7b5", "h2h4", "b5b4", "c2c4"}, 0x3c8123ea7b067637ULL},
        {Moves{"a2a4", "b7b5", "h2h4", "b5b4", "c2c4", "b4c3", "a1a3"}, 0x5c3f9b829b279560ULL},
    }));
    Game game;
    REQUIRE(game.play(moves));
    CHECK(game.position().key() == key);
    CHECK(game.position().compute_key() == key);
}

TEST_CASE("every difference between positions changes the key", "[zobrist]") {
    std::set<Key> keys;
    const std::vector<std::string> different{
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",  "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq - 0 1",   "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq - 0 1",   "r3k2r/8/8/3pP3/8/8/8/R3K2R w - - 0 1",
        "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq - 0 1",  "r3k2r/8/8/3pN3/8/8/8/R3K2R w KQkq - 0 1"};
    for (const auto& fen : different)
        keys.insert(position_of(fen).key());
    CHECK(keys.size() == different.size());
}

TEST_CASE("counters and an unusable en passant square do not change the key", "[zobrist]") {
    const auto key = position_of("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").key();
    CHECK(position_of("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").key() == key);
    CHECK(position_of("4k3/8/8/8/4P3/8/8/4K3 b - - 30 50").key() == key);
}

TEST_CASE("each key of some pieces depends on those alone", "[zobrist]") {
    const auto before = position_of("3rk2n/2q5/8/8/8/3B4/4P3/R2QK3 w - - 0 1").part_keys();
    // What stands elsewhere, and the keys that this changes.
    struct Change {
        const char* fen;
        bool pawns, minors, white, black;
    };
    const auto [fen, pawns, minors, white, black] = GENERATE(values<Change>({
        {"3rk2n/2q5/8/8/4P3/3B4/8/R2QK3 w - - 0 1", true, false, false, false},
        {"3rk2n/2q5/8/8/2B5/8/4P3/R2QK3 w - - 0 1", false, true, true, false},
        {"3rk2n/2q5/8/8/8/3B4/4P3/1R1QK3 w - - 0 1", false, false, true, false},
        {"3rk2n/2q5/8/8/8/3B4/4P3/R1Q1K3 w - - 0 1", false, false, true, false},
        {"3rk3/2q2n2/8/8/8/3B4/4P3/R2QK3 w - - 0 1", false, true, false, true},
        {"3r1k1n/2q5/8/8/8/3B4/4P3/R2QK3 w - - 0 1", false, true, false, true},
        {"2r1k2n/2q5/8/8/8/3B4/4P3/R2QK3 b - - 0 1", false, false, false, true},
    }));
    CAPTURE(fen);
    const auto after = position_of(fen).part_keys();
    CHECK((after.pawns != before.pawns) == pawns);
    CHECK((after.minors != before.minors) == minors);
    CHECK((after.non_pawns[0] != before.non_pawns[0]) == white);
    CHECK((after.non_pawns[1] != before.non_pawns[1]) == black);
}
