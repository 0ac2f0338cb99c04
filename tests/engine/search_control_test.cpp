#include "engine/search_control.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include "tests/catch.hpp"

using namespace engine;
using core::operator""_sq;

namespace {

/// Interrupts and reports as a test wants them; safe to use from two threads.
class TestListener : public SearchListener {
public:
    TestListener() : SearchListener{pending_} {}

    void interrupt(Interrupt interrupt) {
        const std::lock_guard lock{mutex_};
        interrupts_.push_back(interrupt);
        pending_ = true;
        posted_.notify_all();
    }
    std::optional<Interrupt> take_interrupt() override {
        const std::lock_guard lock{mutex_};
        if (interrupts_.empty())
            return std::nullopt;
        const auto first = interrupts_.front();
        interrupts_.pop_front();
        pending_ = !interrupts_.empty();
        return first;
    }
    Interrupt wait_for_interrupt() override {
        std::unique_lock lock{mutex_};
        posted_.wait(lock, [&] { return !interrupts_.empty(); });
        lock.unlock();
        return *take_interrupt();
    }

private:
    std::mutex mutex_;
    std::condition_variable posted_;
    std::deque<Interrupt> interrupts_;
    std::atomic<bool> pending_{false};
};

/// The control of a search and its listener.
struct Fixture {
    explicit Fixture(const Limits& limits, Milliseconds overhead = Milliseconds{10})
        : control{limits, Clock{limits, core::Color::white, overhead}, listener} {}

    /// Whether the search must end at exactly this many nodes, asked at each.
    std::optional<std::uint64_t> stopped_at(std::uint64_t most) {
        for (std::uint64_t nodes = 0; nodes <= most; ++nodes) {
            if (control.should_stop(nodes))
                return nodes;
        }
        return std::nullopt;
    }

    TestListener listener;
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

TEST_CASE("an infinite search is stopped only by an interrupt", "[search_control]") {
    Fixture search{infinite_limits()};
    search.control.enough(iteration(1, 20));
    CHECK_FALSE(search.stopped_at(10'000));
    CHECK_FALSE(search.control.stop_requested());
    search.listener.interrupt(Interrupt::stop);
    CHECK_FALSE(search.control.should_stop(10'002));
    CHECK(search.control.stop_requested());
    CHECK(search.control.should_stop(10'003));
    CHECK(search.control.should_stop(10'004));
    search.control.wait_for_release();
}

TEST_CASE("a stop ends the search where a limit of nodes would, at the first of several checks",
          "[search_control]") {
    // A node that is searched again is checked twice, and a limit would have ended the first check.
    Fixture search{infinite_limits()};
    search.control.enough(iteration(1, 20));
    CHECK_FALSE(search.control.should_stop(700));
    search.listener.interrupt(Interrupt::stop);
    CHECK_FALSE(search.control.should_stop(700));
    CHECK_FALSE(search.control.should_stop(700));
    CHECK(search.control.should_stop(701));
}

TEST_CASE("the hard time stops a search", "[search_control]") {
    Limits limits;
    limits.movetime = Milliseconds{100};
    limits.arrival -= Milliseconds{101};
    Fixture search{limits};
    search.control.enough(iteration(1, 20));
    CHECK(search.stopped_at(2'000) == 1U);
}

TEST_CASE("a stop waits for the first iteration, but only for a limited number of nodes",
          "[search_control]") {
    Limits limits;
    limits.movetime = Milliseconds{100};
    const bool by_clock = GENERATE(true, false);
    if (by_clock)
        limits.arrival -= Milliseconds{101};
    SECTION("it ends deepening") {
        Fixture search{limits};
        if (!by_clock)
            search.listener.interrupt(Interrupt::stop);
        CHECK_FALSE(search.control.should_stop(0));
        CHECK_FALSE(search.control.should_stop(600));
        CHECK(search.control.enough(iteration(1, 20)));
    }
    SECTION("it ends an iteration that takes too many nodes") {
        Fixture search{limits};
        if (!by_clock)
            search.listener.interrupt(Interrupt::stop);
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

TEST_CASE("time limits do not stop an infinite search or pondering", "[search_control]") {
    Limits limits;
    limits.movetime = Milliseconds{100};
    limits.clocks[0].time = Milliseconds{0};
    limits.arrival -= Milliseconds{1'000};
    (GENERATE(true, false) ? limits.ponder : limits.infinite) = true;
    Fixture search{limits};
    CHECK_FALSE(search.stopped_at(5'000));
    CHECK_FALSE(search.control.enough(iteration(30, mate_in(1))));
}

TEST_CASE("the clock begins with the ponder hit", "[search_control]") {
    Limits limits;
    limits.movetime = Milliseconds{10'000};
    limits.ponder = true;
    limits.arrival -= Milliseconds{60'000};
    Fixture search{limits};
    search.listener.interrupt(Interrupt::ponder_hit);
    CHECK_FALSE(search.stopped_at(5'000));
    CHECK(search.control.elapsed() >= Milliseconds{60'000});
    search.control.wait_for_release();
}

TEST_CASE("a move that was settled while pondering is played at the ponder hit",
          "[search_control]") {
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
    search.listener.interrupt(Interrupt::ponder_hit);
    CHECK_FALSE(search.control.should_stop(2'001));
    CHECK(search.control.should_stop(2'002) == moves_at_once);
}

TEST_CASE("an iteration begun while pondering ends with the soft time", "[search_control]") {
    // The soft time is half a second from the ponder hit, the hard time five times as long.
    Limits limits;
    limits.ponder = true;
    limits.clocks[0].time = Milliseconds{20'000};
    Fixture search{limits};
    CHECK_FALSE(search.control.enough(iteration(5, 20)));
    search.listener.interrupt(Interrupt::ponder_hit);
    CHECK_FALSE(search.stopped_at(2'000));
    std::this_thread::sleep_for(Milliseconds{700});
    CHECK_FALSE(search.control.should_stop(10'000));
    CHECK(search.control.should_stop(10'001));
}

TEST_CASE("a ponder hit outside pondering changes nothing", "[search_control]") {
    Limits limits = infinite_limits();
    limits.arrival -= Milliseconds{60'000};
    Fixture search{limits};
    search.listener.interrupt(Interrupt::ponder_hit);
    CHECK_FALSE(search.stopped_at(100));
    CHECK(search.control.elapsed() >= Milliseconds{60'000});
}

TEST_CASE("the plain listener drops reports and never interrupts", "[search_control]") {
    SearchListener listener;
    const Limits limits = infinite_limits();
    SearchControl control{limits, Clock{limits, core::Color::white, Milliseconds{0}}, listener};
    CHECK_FALSE(control.wants_reports());
    control.report(Info{});
    CHECK_FALSE(control.should_stop(10'000));
    CHECK_FALSE(control.stop_requested());
    control.wait_for_release();
    CHECK(control.stop_requested());
}

TEST_CASE("the best move is withheld until it may be sent", "[search_control]") {
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
    if (limits.infinite)
        search.listener.interrupt(Interrupt::ponder_hit);
    CHECK(waiting.wait_for(Milliseconds{30}) == std::future_status::timeout);
    search.listener.interrupt(Interrupt::stop);
    CHECK(waiting.wait_for(std::chrono::seconds{10}) == std::future_status::ready);
}

TEST_CASE("a search for a mate ends with a mate that is short enough", "[search_control]") {
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

TEST_CASE("the deepest iteration is the depth limit or the longest possible line",
          "[search_control]") {
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
    CHECK(Fixture{limits}.control.max_depth() == deepest);
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
    limits.movetime = Milliseconds{60'000};
    auto forced = iteration(1, 20);
    forced.forced = true;
    CHECK_FALSE(Fixture{limits}.control.enough(forced));
}
