#include "engine/clock.hpp"

#include <limits>
#include <thread>

#include "tests/catch.hpp"

using namespace engine;
using core::Color;

namespace {

constexpr Milliseconds usual_overhead{10};

/// The limits of a player who is White and has such a clock.
Limits clock_of(std::int64_t time, std::int64_t increment = 0, std::optional<int> moves = {}) {
    Limits limits;
    limits.clocks[0] = {Milliseconds{time}, Milliseconds{increment}};
    limits.movestogo = moves;
    return limits;
}

TimeBudget budget_of(const Limits& limits, Milliseconds overhead = usual_overhead) {
    return time_budget(limits, Color::white, overhead);
}

void check_order(const TimeBudget& budget) {
    REQUIRE(budget.soft);
    REQUIRE(budget.hard);
    CHECK(*budget.soft >= Milliseconds{1});
    CHECK(*budget.soft <= *budget.hard);
}

}  // namespace

TEST_CASE("without a clock and a move time there is no budget", "[clock]") {
    Limits limits;
    limits.depth = 5;
    limits.nodes = 1'000;
    limits.movestogo = 10;
    const auto budget = budget_of(limits);
    CHECK_FALSE(budget.soft);
    CHECK_FALSE(budget.hard);
    CHECK_FALSE(budget.low_time);
}

TEST_CASE("every time control leaves time on the clock", "[clock]") {
    const auto time = GENERATE(100, 150, 300, 700, 1'000, 3'000, 10'000, 60'000, 7'200'000);
    const auto increment = GENERATE(0, 1, 100, 2'000, 60'000);
    const auto moves = GENERATE(std::optional<int>{}, std::optional{0}, 1, 2, 3, 40, 41, 1'000);
    const Milliseconds overhead{GENERATE(0, 10, 50)};
    CAPTURE(time, increment, moves.value_or(-1), overhead.count());

    const auto budget = budget_of(clock_of(time, increment, moves), overhead);
    check_order(budget);
    // What is kept covers the way of the move and half of what a busy machine may take.
    const Milliseconds kept = overhead + std::min(Milliseconds{50}, Milliseconds{time / 4});
    CHECK(*budget.hard <= Milliseconds{time} - kept);
}

TEST_CASE("sudden death leaves time for many moves", "[clock]") {
    const auto time = GENERATE(1'000, 5'000, 60'000, 600'000);
    CAPTURE(time);
    const auto budget = budget_of(clock_of(time));
    CHECK(*budget.soft <= Milliseconds{time / 20});
    CHECK(*budget.hard <= Milliseconds{time / 5});
    CHECK(*budget.soft >= Milliseconds{time / 250});
}

TEST_CASE("a whole game is played without running out of time", "[clock]") {
    struct Control {
        std::int64_t time;
        std::int64_t increment;
        int moves;  // 0: all
    };
    const auto control =
        GENERATE(Control{1'000, 0, 0}, Control{2'000, 20, 0}, Control{60'000, 0, 0},
                 Control{5'000, 0, 40}, Control{1'000, 0, 1}, Control{500, 0, 2},
                 Control{100, 1'000, 0}, Control{300'000, 3'000, 40});
    CAPTURE(control.time, control.increment, control.moves);
    // The worst there can be: each search takes all it may, and each move is late on its way.
    std::int64_t left = control.time;
    for (int played = 0; played < 150; ++played) {
        std::optional<int> to_go;
        if (control.moves > 0)
            to_go = control.moves - played % control.moves;
        const auto budget = budget_of(clock_of(left, control.increment, to_go));
        left -= budget.hard->count() + usual_overhead.count() / 5;
        CAPTURE(played);
        REQUIRE(left > 0);
        left += control.increment;
        if (control.moves > 0 && (played + 1) % control.moves == 0)
            left += control.time;
    }
}

TEST_CASE("with less time than the overhead the move comes at once", "[clock]") {
    const auto time = GENERATE(0, 1, 2, 5, 9, 10, 11, 15, 20, -1, -10, -100'000);
    const auto increment = GENERATE(0, 1'000, -1'000);
    const auto moves = GENERATE(std::optional<int>{}, std::optional{1}, 40);
    CAPTURE(time, increment, moves.value_or(-1));
    const auto budget = budget_of(clock_of(time, increment, moves));
    check_order(budget);
    CHECK(budget.low_time);
    CHECK(*budget.hard <= std::max(Milliseconds{1}, Milliseconds{time / 3}));
}

TEST_CASE("extreme numbers do no harm", "[clock]") {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    const auto time =
        GENERATE_COPY(as<std::int64_t>{}, most, most / 2, std::int64_t{1'000'000'000'000'000},
                      least, std::int64_t{60'000});
    const auto increment = GENERATE_COPY(as<std::int64_t>{}, std::int64_t{0},
                                         std::int64_t{1'000'000'000'000'000}, least);
    const auto moves = GENERATE(std::optional<int>{}, std::optional{1},
                                std::numeric_limits<int>::max(), std::numeric_limits<int>::min());
    CAPTURE(time, increment, moves.value_or(-1));
    const auto budget = budget_of(clock_of(time, increment, moves));
    check_order(budget);
    CHECK(*budget.hard <= std::max(Milliseconds{1}, Milliseconds{time}));
}

TEST_CASE("an increment larger than the clock does not spend the clock", "[clock]") {
    const auto time = GENERATE(50, 100, 500, 1'000);
    const auto increment = GENERATE(1'000, 5'000, 60'000);
    CAPTURE(time, increment);
    CHECK(*budget_of(clock_of(time, increment)).hard < Milliseconds{time * 3 / 4});
}

TEST_CASE("more time on the clock never gives a smaller budget", "[clock]") {
    const auto increment = GENERATE(0, 10, 1'000);
    const auto moves = GENERATE(std::optional<int>{}, std::optional{1}, 2, 40);
    CAPTURE(increment, moves.value_or(-1));
    TimeBudget before = budget_of(clock_of(1, increment, moves));
    for (int time = 2; time < 20'000; ++time) {
        const auto budget = budget_of(clock_of(time, increment, moves));
        CAPTURE(time);
        REQUIRE(*budget.soft >= *before.soft);
        REQUIRE(*budget.hard >= *before.hard);
        before = budget;
    }
}

TEST_CASE("a larger increment, and fewer moves to go, give more time", "[clock]") {
    CHECK(*budget_of(clock_of(10'000, 100)).soft >= *budget_of(clock_of(10'000, 0)).soft);
    CHECK(*budget_of(clock_of(10'000, 1'000)).soft > *budget_of(clock_of(10'000, 0)).soft);
    CHECK(*budget_of(clock_of(10'000, 0, 2)).soft > *budget_of(clock_of(10'000, 0, 10)).soft);
    CHECK(*budget_of(clock_of(10'000, 0, 10)).soft > *budget_of(clock_of(10'000, 0, 40)).soft);
}

TEST_CASE("a larger overhead never gives a larger budget", "[clock]") {
    const auto moves = GENERATE(std::optional<int>{}, std::optional{1}, 20);
    TimeBudget before = budget_of(clock_of(10'000, 0, moves), Milliseconds{0});
    for (const int overhead : {1, 10, 100, 1'000, 5'000, 9'900, 10'000}) {
        const auto budget = budget_of(clock_of(10'000, 0, moves), Milliseconds{overhead});
        CAPTURE(overhead);
        check_order(budget);
        CHECK(*budget.hard <= *before.hard);
        before = budget;
    }
}

TEST_CASE("each player's own clock counts", "[clock]") {
    Limits limits;
    limits.clocks[0] = {Milliseconds{1'000}, Milliseconds{0}};
    limits.clocks[1] = {Milliseconds{100'000}, Milliseconds{0}};
    CHECK(*time_budget(limits, Color::white, usual_overhead).hard < Milliseconds{1'000});
    CHECK(*time_budget(limits, Color::black, usual_overhead).soft > Milliseconds{1'000});
}

TEST_CASE("a single clock counts for both players", "[clock]") {
    const auto player = GENERATE(Color::white, Color::black);
    const auto only = GENERATE(Color::white, Color::black);
    Limits limits;
    limits.clocks[core::index_of(only)].time = Milliseconds{30'000};
    const auto budget = time_budget(limits, player, usual_overhead);
    check_order(budget);
    CHECK(*budget.soft == *budget_of(clock_of(30'000)).soft);
    CHECK(*budget.hard < Milliseconds{30'000});
}

TEST_CASE("an increment without a clock gives no budget", "[clock]") {
    Limits limits;
    limits.clocks[0].increment = Milliseconds{1'000};
    CHECK_FALSE(budget_of(limits).hard);
}

TEST_CASE("the move time minus a part of the overhead is used", "[clock]") {
    const auto [time, least, most] = GENERATE(table<std::int64_t, int, int>({
        {100, 90, 100},
        {1'000, 950, 1'000},
        {10'000, 9'950, 10'000},
        {20, 18, 20},
        {2, 1, 2},
        {1, 1, 1},
        {0, 1, 1},
        {-1, 1, 1},
        {-1'000'000, 1, 1},
    }));
    CAPTURE(time);
    Limits limits;
    limits.movetime = Milliseconds{time};
    const Milliseconds overhead{GENERATE(0, 10, 20)};
    const auto budget = budget_of(limits, overhead);
    CHECK_FALSE(budget.low_time);
    CHECK_FALSE(budget.soft);
    REQUIRE(budget.hard);
    CHECK(*budget.hard >= Milliseconds{least});
    CHECK(*budget.hard <= Milliseconds{most});
}

TEST_CASE("whatever the overhead, most of the move time is used", "[clock]") {
    const auto time = GENERATE(1, 100, 1'000, 60'000);
    Limits limits;
    limits.movetime = Milliseconds{time};
    const auto budget = budget_of(limits, Milliseconds{10'000});
    CHECK(*budget.hard >= Milliseconds{time * 9 / 10});
    CHECK(*budget.hard <= Milliseconds{time});
}

TEST_CASE("of clock and move time the smaller budget counts", "[clock]") {
    const auto movetime = GENERATE(1, 50, 100, 1'000, 100'000);
    const auto clock = GENERATE(-5, 50, 1'000, 60'000);
    CAPTURE(movetime, clock);
    auto limits = clock_of(clock);
    const auto without = budget_of(limits);
    limits.movetime = Milliseconds{movetime};
    const auto budget = budget_of(limits);
    check_order(budget);
    CHECK(*budget.hard <= *without.hard);
    CHECK(*budget.hard <= Milliseconds{movetime});
}

TEST_CASE("a clock runs from the arrival of the command, and again from the ponder hit",
          "[clock]") {
    Limits limits;
    limits.arrival -= Milliseconds{500};
    Clock clock{limits, Color::white, usual_overhead};
    CHECK(clock.elapsed() >= Milliseconds{500});
    clock.restart();
    CHECK(clock.used() < Milliseconds{500});
    CHECK(clock.elapsed() >= Milliseconds{500});
    std::this_thread::sleep_for(Milliseconds{5});
    CHECK(clock.used() >= Milliseconds{5});
}
