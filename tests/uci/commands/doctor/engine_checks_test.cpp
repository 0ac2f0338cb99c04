#include "uci/commands/doctor/engine_checks.hpp"

#include "tests/catch.hpp"

using namespace uci::commands;
using std::chrono::milliseconds;

TEST_CASE("forcing slower or unknown network code is a warning", "[doctor]") {
    engine::SimdPaths paths;
    paths.used = "avx2";
    paths.runnable = {"avx2", "plain"};
    CHECK(check_simd(paths, "A Processor", "").level == Level::ok);
    CHECK(check_simd(paths, "A Processor", "avx2").level == Level::ok);
    CHECK(check_simd(paths, "", "avx512").level == Level::warning);
    paths.used = "plain";
    const auto slower = check_simd(paths, "A Processor", "plain");
    CHECK(slower.level == Level::warning);
    CHECK(slower.text == "A Processor; runs avx2, plain; in use: plain");
    CHECK(slower.remedy.find("unset PARLEY_SIMD") == 0);
}

TEST_CASE("a clock with long gaps asks for more overhead", "[doctor]") {
    ClockTrial trial;
    trial.watched = milliseconds{1000};
    trial.smallest_step = std::chrono::nanoseconds{30};
    trial.longest_gap = milliseconds{3};
    CHECK(check_clock(trial).level == Level::ok);
    CHECK(check_clock(trial).text == "steps of 30 ns; interrupted for up to 3.0 ms in 1 s");
    trial.longest_gap = milliseconds{43};
    CHECK(check_clock(trial).level == Level::warning);
    CHECK(check_clock(trial).remedy.find("Move Overhead to 60") != std::string::npos);
    trial.longest_gap = trial.smallest_step = milliseconds{15};
    CHECK(check_clock(trial).level == Level::warning);
}

TEST_CASE("the clock is watched as long as asked", "[doctor]") {
    const auto trial = watch_clock(milliseconds{20});
    CHECK(trial.watched >= milliseconds{20});
    CHECK(trial.smallest_step.count() > 0);
    CHECK(trial.longest_gap >= trial.smallest_step);
}

TEST_CASE("this program counts and computes correctly", "[doctor]") {
    CHECK(check_rules().level == Level::ok);
    CHECK(check_arithmetic().level == Level::ok);
    CHECK(check_network("").level == Level::ok);
}

TEST_CASE("files that are not what they should be are broken, and none is a note", "[doctor]") {
    CHECK(check_network("/no/such/file").level == Level::broken);
    CHECK(check_tablebases("/no/such/folder").level == Level::broken);
    CHECK(check_books("/no/such/book.bin").level == Level::broken);
    CHECK(check_tablebases("").level == Level::note);
    CHECK(check_books("").level == Level::note);
}
