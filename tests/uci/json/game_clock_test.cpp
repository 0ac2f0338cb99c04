#include "uci/json/game_clock.hpp"

#include "tests/catch.hpp"

using core::Color;
using engine::Milliseconds;
using uci::json::GameClock;
using uci::json::TimeControl;
using namespace std::chrono_literals;

namespace {

/// White has ten seconds and two more for each move, Black five and one.
constexpr TimeControl control{{{10s, 2s}, {5s, 1s}}};

const GameClock::Time start{100s};

/// The clock after moves that took so long each, from `start` on.
GameClock clock_after(std::initializer_list<Milliseconds> moves, Color first = Color::white) {
    GameClock clock{control, first};
    auto now = start;
    for (const auto used : moves)
        clock.press(now += used);
    return clock;
}

}  // namespace

TEST_CASE("a clock runs when both players have made their first move", "[game_clock]") {
    for (const auto& clock : {clock_after({}), clock_after({7s})}) {
        CHECK_FALSE(clock.running());
        CHECK_FALSE(clock.flag_time());
        CHECK(clock.left(Color::white, start + 1h) == 10s);
        CHECK(clock.left(Color::black, start + 1h) == 5s);
    }
    const auto clock = clock_after({7s, 8s});
    CHECK(clock.running() == Color::white);
    CHECK(clock.left(Color::white, start + 18s) == 7s);
    CHECK(clock.left(Color::black, start + 18s) == 5s);
    CHECK(clock.flag_time() == start + 25s);
}

TEST_CASE("a move adds the increment of its player", "[game_clock]") {
    const auto clock = clock_after({0s, 0s, 3s, 500ms});
    CHECK(clock.left_before_move(Color::white) == 9s);
    CHECK(clock.left_before_move(Color::black) == 5500ms);
    CHECK(clock.left(Color::white, start + 4s) == 8500ms);
    CHECK(clock.running() == Color::white);
}

TEST_CASE("in a position with Black to move, Black's clock is the first to run", "[game_clock]") {
    const auto clock = clock_after({0s, 0s}, Color::black);
    CHECK(clock.running() == Color::black);
    CHECK(clock.left(Color::black, start + 2s) == 3s);
    CHECK(clock.left(Color::white, start + 2s) == 10s);
}

TEST_CASE("a flag falls at the very time, and time left is never negative", "[game_clock]") {
    auto clock = clock_after({0s, 0s, 1s});
    REQUIRE(clock.flag_time() == start + 6s);
    CHECK_FALSE(clock.has_flag_fallen(start + 6s - 1ns));
    CHECK(clock.has_flag_fallen(start + 6s));
    CHECK(clock.left(Color::black, start + 1h) == 0s);
    clock.stop(start + 6s);
    CHECK_FALSE(clock.has_flag_fallen(start + 7s));
    CHECK(clock.left(Color::black, start + 1h) == 0s);
}

TEST_CASE("a stopped clock keeps what was left", "[game_clock]") {
    auto clock = clock_after({0s, 0s});
    clock.stop(start + 4s);
    CHECK_FALSE(clock.running());
    CHECK(clock.left(Color::white, start + 1h) == 6s);
}

TEST_CASE("taking moves back restores what was left then", "[game_clock]") {
    auto clock = clock_after({0s, 0s, 3s, 2s, 4s});
    clock.stop(start + 10s);
    clock.take_back(2, start + 20s);
    CHECK(clock.running() == Color::black);
    CHECK(clock.left(Color::white, start + 21s) == 9s);
    CHECK(clock.left(Color::black, start + 21s) == 4s);
    clock.take_back(3, start + 30s);
    CHECK_FALSE(clock.running());
    CHECK(clock.left(Color::white, start + 40s) == 10s);
}

TEST_CASE("a clock that was stored goes on as if no time had passed", "[game_clock]") {
    const auto clock = clock_after({0s, 0s, 3s});
    const GameClock later{clock.state(start + 5s), start + 1h};
    CHECK(later.running() == Color::black);
    CHECK(later.left(Color::black, start + 1h) == 3s);
    CHECK(later.left(Color::white, start + 1h) == 9s);
    CHECK(later.flag_time() == start + 1h + 3s);
    auto ended = clock;
    ended.stop(start + 4s);
    const GameClock stopped{ended.state(start + 9s), start + 1h};
    CHECK_FALSE(stopped.running());
    CHECK(stopped.left(Color::black, start + 2h) == 4s);
}

TEST_CASE("a search gets what both players have left, and their increments", "[game_clock]") {
    const auto limits = clock_after({0s, 0s, 3s}).limits(start + 4s);
    CHECK(limits[0].time == 9s);
    CHECK(limits[0].increment == 2s);
    CHECK(limits[1].time == 4s);
    CHECK(limits[1].increment == 1s);
}
