#include "core/perft.hpp"

#include <array>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/core/positions.hpp"
#include "tests/test_data.hpp"
#include "tools/perft/suite.hpp"

using namespace core;
using tools::perft::KnownPosition;

namespace {

std::vector<KnownPosition> suite_of(const std::string& name) {
    const auto suite = tools::perft::read_suite(tests::data_path(name));
    INFO((suite ? std::string{"fine"} : suite.reason()));
    REQUIRE(suite);
    return *suite;
}

/// Checks every known count of at most `most_leaves` leaves. Returns how many.
int check_counts(const std::vector<KnownPosition>& suite, std::uint64_t most_leaves) {
    int checked = 0;
    for (const auto& known : suite) {
        for (const auto& count : known.counts) {
            if (count.leaves > most_leaves)
                continue;
            ++checked;
            const auto found = perft(known.position, count.depth);
            if (found != count.leaves) {
                CAPTURE(known.fen, count.depth);
                CHECK(found == count.leaves);
            }
        }
    }
    return checked;
}

}  // namespace

TEST_CASE("the standard positions have their published counts", "[perft]") {
    const auto suite = suite_of("standard.epd");
    CHECK(suite.size() == 6);
    CHECK(check_counts(suite, 20'000'000) == 28);
}

TEST_CASE("tricky positions have their known counts", "[perft]") {
    const auto suite = suite_of("tricky.epd");
    CHECK(suite.size() >= 100);
    CHECK(check_counts(suite, 5'000'000) >= 400);
}

TEST_CASE("all 960 start positions of Chess960 have their known counts", "[perft]") {
    const auto suite = suite_of("chess960.epd");
    CHECK(suite.size() == 960);
    CHECK(check_counts(suite, 1'000'000) == 4 * 960);
}

TEST_CASE("every counter of this processor counts the legal moves", "[perft]") {
    for (const LeafCounter* counter : runnable_leaf_counters()) {
        CAPTURE(counter->name);
        std::uint64_t wrong = 0;
        for (const auto* name : {"standard.epd", "tricky.epd", "chess960.epd"}) {
            for (const auto& known : suite_of(name)) {
                for (const auto& count : known.counts) {
                    if (count.leaves <= 200'000
                        && perft(known.position, count.depth, *counter) != count.leaves)
                        ++wrong;
                }
            }
        }
        CHECK(wrong == 0);
    }
    CHECK(std::string_view{runnable_leaf_counters().back()->name} == "plain");
}

TEST_CASE("threads that share a table count alike", "[perft]") {
    PerftTable table{1};
    const auto& start = Position::start();
    std::array<std::uint64_t, 4> counts{};
    {
        std::vector<std::jthread> threads;
        for (auto& count : counts)
            threads.emplace_back([&] { count = table.count(start, 5); });
    }
    for (const auto count : counts)
        CHECK(count == 4'865'609);
}

TEST_CASE("perft at depth 0 is 1", "[perft]") {
    CHECK(perft(Position::start(), 0) == 1);
    CHECK(PerftTable{1}.count(Position::start(), 0) == 1);
}

TEST_CASE("a checkmate has no leaves", "[perft]") {
    const auto mate = tests::position_of("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    CHECK(perft(mate, 1) == 0);
    CHECK(perft(mate, 5) == 0);
}

TEST_CASE("the table does not change the count", "[perft]") {
    const auto megabytes = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{16});
    PerftTable table{megabytes};
    for (const auto& known : suite_of("standard.epd")) {
        CAPTURE(known.fen);
        for (const int depth : {4, 3, 4})
            CHECK(table.count(known.position, depth) == perft(known.position, depth));
    }
}

TEST_CASE("perft returns nothing when it is stopped", "[perft]") {
    const auto& start = Position::start();
    CHECK(perft(start, 4, [] { return false; }) == 197'281);
    CHECK_FALSE(perft(start, 4, [] { return true; }));
    int questions = 0;
    CHECK_FALSE(perft(start, 5, [&] { return ++questions == 20; }));
    CHECK(questions == 20);
}
