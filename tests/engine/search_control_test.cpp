#include "engine/search_control.hpp"

#include <future>
#include <thread>

#include "tests/catch.hpp"

using namespace engine;
using core::operator""_sq;

namespace {

/// A search's control with the link it hangs on.
struct Fixture {
    explicit Fixture(const Limits& limits, Milliseconds overhead = Milliseconds{10})
        : control{limits, Clock{limits, core::Color::white, overhead}, link,
                  [](const Ask& question) {
                      return Snapshot{question.subject, core::Game{}};
                  }} {
        link.begin(LongTask::search);
    }

    /// Whether the search must end at exactly this many nodes, asked at each.
    std::optional<std::uint64_t> stopped_at(std::uint64_t most) {
        for (std::uint64_t nodes = 0; nodes <= most; ++nodes) {
            if (control.should_stop(nodes))
                return nodes;
        }
        return std::nullopt;
    }

    CommandsResponses link;
    SearchControl control;
};

Limits infinite_limits() {
    Limits limits;
    limits.infinite = true;
    return limits;
}

Iteration iteration(int depth, Score score) {
    Iteration result;
    result.depth = depth;
    result.score = score;
    result.best_move = core::Move::normal("e2"_sq, "e4"_sq);
    return result;
}

}  // namespace

TEST_CASE("a limit of nodes stops at exactly that many", "[search_control]") {
    const std::uint64_t nodes = GENERATE(0U, 1U, 2U, 511U, 512U, 513U, 1'000U, 1'024U, 9'999U);
    Limits limits;
    limits.nodes = nodes;
    CHECK(Fixture{limits}.stopped_at(20'000) == nodes);
}

TEST_CASE("without a limit nothing stops a search but a command", "[search_control]") {
    Fixture search{infinite_limits()};
    search.control.enough(iteration(1, 20));
    CHECK_FALSE(search.stopped_at(10'000));
    search.link.post(SetOption{"Hash", "1"});
    search.link.post(SetGame{});
    CHECK_FALSE(search.control.should_stop(10'001));
    CHECK_FALSE(search.control.was_told_to_stop());
    search.link.post(GENERATE(as<Command>{}, Stop{}, Go{}, Perft{}, Bench{}, Quit{}));
    CHECK(search.control.should_stop(10'002));
    CHECK(search.control.was_told_to_stop());
    CHECK(search.control.should_stop(10'003));
    search.control.wait_for_release();
}

TEST_CASE("the hard time stops a search", "[search_control]") {
    Limits limits;
    limits.move_time = Milliseconds{100};
    limits.arrival -= Milliseconds{101};
    Fixture search{limits};
    search.control.enough(iteration(1, 20));
    CHECK(search.stopped_at(2'000) == 0U);
}

TEST_CASE("a stop waits for the first iteration, but not for long", "[search_control]") {
    Limits limits;
    limits.move_time = Milliseconds{100};
    const bool by_clock = GENERATE(true, false);
    if (by_clock)
        limits.arrival -= Milliseconds{101};
    SECTION("it ends deepening") {
        Fixture search{limits};
        if (!by_clock)
            search.link.post(Stop{});
        CHECK_FALSE(search.control.should_stop(0));
        CHECK_FALSE(search.control.should_stop(600));
        CHECK(search.control.enough(iteration(1, 20)));
    }
    SECTION("it ends an iteration that takes too many nodes") {
        Fixture search{limits};
        if (!by_clock)
            search.link.post(Stop{});
        const auto stopped = search.stopped_at(100'000);
        REQUIRE(stopped);
        CHECK(*stopped > 500);
        CHECK(*stopped < 5'000);
    }
    SECTION("a limit of nodes does not wait") {
        limits.nodes = 100;
        CHECK(Fixture{limits}.stopped_at(1'000) == 100U);
    }
}

TEST_CASE("no time stops a search while it ponders or is infinite", "[search_control]") {
    Limits limits;
    limits.move_time = Milliseconds{100};
    limits.clocks[0].time = Milliseconds{0};
    limits.arrival -= Milliseconds{1'000};
    (GENERATE(true, false) ? limits.ponder : limits.infinite) = true;
    Fixture search{limits};
    CHECK_FALSE(search.stopped_at(5'000));
    CHECK_FALSE(search.control.enough(iteration(30, mate_in(1))));
}

TEST_CASE("the clock begins with the ponder hit", "[search_control]") {
    Limits limits;
    limits.move_time = Milliseconds{10'000};
    limits.ponder = true;
    limits.arrival -= Milliseconds{60'000};
    Fixture search{limits};
    search.link.post(PonderHit{});
    CHECK_FALSE(search.stopped_at(5'000));
    CHECK(search.control.elapsed() >= Milliseconds{60'000});
    search.control.wait_for_release();
}

TEST_CASE("what is settled while pondering is played at the ponder hit", "[search_control]") {
    Limits limits;
    limits.ponder = true;
    limits.clocks[0].time = Milliseconds{60'000};
    limits.arrival -= Milliseconds{30'000};
    auto last = iteration(5, 20);
    bool moves_at_once = true;
    SECTION("there is one move only") {
        last.forced = true;
    }
    SECTION("a mate is found") {
        last = iteration(7, mate_in(3));
    }
    SECTION("there is more to think of") {
        moves_at_once = false;
    }
    Fixture search{limits};
    CHECK_FALSE(search.control.enough(last));
    CHECK_FALSE(search.stopped_at(2'000));
    search.link.post(PonderHit{});
    CHECK(search.control.should_stop(2'001) == moves_at_once);
}

TEST_CASE("an iteration begun while pondering ends with the soft time", "[search_control]") {
    // The soft time is half a second from the ponder hit, the hard time five times as long.
    Limits limits;
    limits.ponder = true;
    limits.clocks[0].time = Milliseconds{20'000};
    Fixture search{limits};
    CHECK_FALSE(search.control.enough(iteration(5, 20)));
    search.link.post(PonderHit{});
    CHECK_FALSE(search.stopped_at(2'000));
    std::this_thread::sleep_for(Milliseconds{700});
    CHECK(search.control.should_stop(10'000));
}

TEST_CASE("a ponder hit outside pondering changes nothing", "[search_control]") {
    Limits limits = infinite_limits();
    limits.arrival -= Milliseconds{60'000};
    Fixture search{limits};
    search.link.post(PonderHit{});
    CHECK_FALSE(search.stopped_at(100));
    CHECK(search.control.elapsed() >= Milliseconds{60'000});
}

TEST_CASE("a question is answered during a search", "[search_control]") {
    Fixture search{infinite_limits()};
    search.link.post(Ask{"fen"});
    CHECK_FALSE(search.control.should_stop(1));
    const auto response = search.link.next_response();
    CHECK(std::get<Snapshot>(*response).subject == "fen");
}

TEST_CASE("who is silent says nothing", "[search_control]") {
    Fixture search{infinite_limits()};
    search.control.keep_silent();
    search.control.report(Info{});
    search.link.send(Echo{"end"});
    CHECK(std::holds_alternative<Echo>(*search.link.next_response()));
}

TEST_CASE("an answer is held back until it may be given", "[search_control]") {
    Limits limits;
    SECTION("not at all in a usual search") {
        Fixture{limits}.control.wait_for_release();
    }
    SECTION("until a stop in an infinite one") {
        limits.infinite = true;
    }
    SECTION("until a stop when pondering") {
        limits.ponder = true;
    }
    if (!limits.infinite && !limits.ponder)
        return;
    Fixture search{limits};
    auto waiting = std::async(std::launch::async, [&] { search.control.wait_for_release(); });
    search.link.post(SetGame{});
    search.link.post(Ask{"d"});
    if (limits.infinite)
        search.link.post(PonderHit{});
    CHECK(waiting.wait_for(Milliseconds{30}) == std::future_status::timeout);
    search.link.post(Stop{});
    CHECK(waiting.wait_for(std::chrono::seconds{10}) == std::future_status::ready);
}

TEST_CASE("a mate that is short enough ends a search for one", "[search_control]") {
    const auto [wanted, score, ends] = GENERATE(table<int, Score, bool>({
        {1, mate_in(1), true},
        {1, mate_in(3), false},
        {2, mate_in(3), true},
        {3, mate_in(3), true},
        {5, mate_in(9), true},
        {5, mate_in(11), false},
        {2, mated_in(4), true},
        {2, mated_in(6), false},
        {3, 900, false},
    }));
    CAPTURE(wanted, score);
    Limits limits = infinite_limits();
    limits.mate = wanted;
    CHECK(Fixture{limits}.control.enough(iteration(20, score)) == ends);
}

TEST_CASE("deepening goes as far as it is allowed and a line can hold", "[search_control]") {
    const auto [depth, deepest] = GENERATE(table<std::optional<int>, int>({
        {std::nullopt, max_ply - 1},
        {1, 1},
        {0, 1},
        {-7, 1},
        {12, 12},
        {max_ply - 1, max_ply - 1},
        {max_ply, max_ply - 1},
        {1'000'000, max_ply - 1},
    }));
    Limits limits;
    limits.depth = depth;
    CHECK(Fixture{limits}.control.deepest() == deepest);
}

TEST_CASE("the soft time ends deepening after an iteration", "[search_control]") {
    Limits limits;
    limits.clocks[0].time = Milliseconds{60'000};
    Fixture fresh{limits};
    CHECK_FALSE(fresh.control.enough(iteration(5, 20)));

    limits.arrival -= Milliseconds{30'000};
    Fixture late{limits};
    CHECK(late.control.enough(iteration(5, 20)));
}

TEST_CASE("on a clock, an only move and a found mate are played at once", "[search_control]") {
    Limits limits;
    limits.clocks[0].time = Milliseconds{60'000};
    Fixture search{limits};
    CHECK_FALSE(search.control.enough(iteration(2, mate_in(3))));
    CHECK(search.control.enough(iteration(7, mate_in(3))));
    auto forced = iteration(1, 20);
    forced.forced = true;
    CHECK(search.control.enough(forced));
}

TEST_CASE("without a clock, an only move is searched like any other", "[search_control]") {
    Limits limits;
    limits.move_time = Milliseconds{60'000};
    auto forced = iteration(1, 20);
    forced.forced = true;
    CHECK_FALSE(Fixture{limits}.control.enough(forced));
}
