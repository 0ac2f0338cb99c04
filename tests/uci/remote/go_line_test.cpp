#include "uci/remote/go_line.hpp"

#include <tuple>

#include "tests/catch.hpp"

using std::chrono::milliseconds;
using uci::remote::GoLine;

TEST_CASE("a go line is repeated with the time that is left", "[remote]") {
    const auto [line, white, black] = GENERATE(table<std::string, std::string, std::string>({
        {"go wtime 1000 btime 2000 winc 5 binc 6 movestogo 7",
         "go wtime 700 btime 2000 winc 5 binc 6 movestogo 7",
         "go wtime 1000 btime 1700 winc 5 binc 6 movestogo 7"},
        {"go wtime 100 btime 100", "go wtime 1 btime 100", "go wtime 100 btime 1"},
        {"go wtime 1000", "go wtime 700", "go wtime 700"},
        {"go movetime 1000", "go movetime 650", "go movetime 650"},
        {"go movetime 350", "go movetime 25", "go movetime 25"},
        {"go movetime 1", "go movetime 1", "go movetime 1"},
        {"go infinite", "go infinite", "go infinite"},
        {"go  depth 5\tnodes 300", "go depth 5 nodes 300", "go depth 5 nodes 300"},
        {"go wtime x btime", "go wtime x btime", "go wtime x btime"},
        {"go", "go", "go"},
    }));
    CAPTURE(line);
    const GoLine go{line};
    CHECK(go.text(core::Color::white, milliseconds{300}, milliseconds{50}) == white);
    CHECK(go.text(core::Color::black, milliseconds{300}, milliseconds{50}) == black);
}

TEST_CASE("a go line tells how its search ends", "[remote]") {
    CHECK(GoLine{"go"}.is_endless());
    CHECK(GoLine{"go infinite wtime 5"}.is_endless());
    CHECK(GoLine{"go searchmoves e2e4"}.is_endless());
    CHECK_FALSE(GoLine{"go depth 3"}.is_endless());
    CHECK_FALSE(GoLine{"go btime 3"}.is_endless());
    CHECK(GoLine{"go searchmoves e2e4 d2d4 depth 3"}.searchmoves()
          == std::vector<std::string>{"e2e4", "d2d4"});
    CHECK(GoLine{"go depth 3 searchmoves"}.searchmoves().empty());
    CHECK(GoLine{"go btime 30"}.clock(core::Color::white) == milliseconds{30});
    CHECK_FALSE(GoLine{"go depth 3"}.clock(core::Color::white));
    GoLine go{"go ponder wtime 9"};
    CHECK(go.is_ponder());
    go.end_pondering();
    CHECK(go.text(core::Color::white, milliseconds{2}, milliseconds{0}) == "go wtime 7");
}
