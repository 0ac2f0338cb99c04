#include "uci/logged_conversation.hpp"

#include <sstream>

#include "tests/catch.hpp"

using namespace uci;

namespace {

LoggedConversations read(const std::vector<std::string>& entries) {
    std::string text;
    for (const auto& entry : entries)
        text += "2026-01-31 12:00:00.123 " + entry + '\n';
    std::istringstream stream{text};
    return read_debug_log(stream);
}

LoggedSearch search_of(const std::vector<std::string>& entries) {
    const auto log = read(entries);
    REQUIRE(log.conversations.size() == 1);
    REQUIRE(log.conversations[0].sent.searches().size() == 1);
    return log.conversations[0].sent.searches()[0];
}

/// A search that reported this, and then its best move.
LoggedSearch answered(std::vector<std::string> answers, const std::string& best = "bestmove e2e4") {
    std::vector<std::string> entries{"> go depth 9"};
    answers.push_back(best);
    for (const auto& answer : answers)
        entries.push_back("< " + answer);
    return search_of(entries);
}

std::string report(int depth, const std::string& rest) {
    return "info depth " + std::to_string(depth) + " seldepth 9 multipv 1 score " + rest;
}

}  // namespace

TEST_CASE("a log is divided into conversations, searches and messages", "[replay]") {
    const auto log = read({"# opened by Parley 0.1.0",
                           "# earlier command: setoption name Hash value 8",
                           "# earlier searches",
                           "< info depth 9 score cp 1 pv e2e4",
                           "< bestmove e2e4",
                           "> uci",
                           "< id name Parley",
                           "< uciok",
                           "> go depth 1",
                           "> go infinite",
                           "> isready",
                           "< info depth 1 score cp 2 pv e2e4",
                           "< readyok",
                           "< bestmove e2e4 ponder e7e5",
                           "# aborted at node 77",
                           "< bestmove d2d4",
                           "> go perft 1",
                           "< Nodes searched: 20",
                           "# opened by Parley 0.2.0",
                           "> quit"});
    REQUIRE(log.conversations.size() == 2);
    CHECK(log.other_lines.empty());
    const auto& first = log.conversations[0];
    CHECK(first.program == "Parley 0.1.0");
    CHECK(first.earlier == std::vector<std::string>{"setoption name Hash value 8"});
    CHECK(first.has_earlier_searches);
    CHECK(first.settled == 13U);
    CHECK(first.received.size() == 5);
    REQUIRE(first.sent.searches().size() == 2);
    CHECK(first.sent.searches()[0].go.text == "go depth 1");
    CHECK(first.sent.searches()[0].go.number == 9);
    CHECK(first.sent.searches()[0].reports.size() == 1);
    CHECK(first.sent.searches()[0].best_move->text == "bestmove e2e4 ponder e7e5");
    CHECK_FALSE(first.sent.searches()[0].aborted_at);
    CHECK(first.sent.searches()[1].best_move->text == "bestmove d2d4");
    CHECK(first.sent.searches()[1].aborted_at == 77U);
    REQUIRE(first.sent.other_lines().size() == 4);
    CHECK(first.sent.other_lines()[2].text == "readyok");
    CHECK_FALSE(log.conversations[1].has_earlier_searches);
    CHECK(log.conversations[1].received[0].text == "quit");
}

TEST_CASE("lines that are no entries are left out of a log", "[replay]") {
    std::istringstream stream{"nonsense\n2026-01-31 12:00:00.123 > uci\n\n2026-01-31 12:0"};
    const auto log = read_debug_log(stream);
    CHECK(log.other_lines == std::vector<std::size_t>{1, 3, 4});
    CHECK(log.conversations.size() == 1);
}

TEST_CASE("a search is repeated by what ended it and not by its time", "[replay]") {
    engine::Limits limits;
    limits.movetime = engine::Milliseconds{100};
    limits.infinite = limits.ponder = true;
    limits.searchmoves = {"e2e4"};
    SECTION("a finished iteration: by depth") {
        const auto repeated = limits_to_repeat(
            answered({report(1, "cp 1 nodes 5 pv e2e4"), report(7, "cp 1 nodes 99 pv e2e4")}),
            limits);
        CHECK(repeated.depth == 7);
        CHECK_FALSE(repeated.nodes);
        CHECK(repeated.ends_by_itself());
        CHECK(repeated.searchmoves == limits.searchmoves);
        CHECK_FALSE(repeated.movetime);
    }
    SECTION("a search aborted in an iteration: by nodes") {
        auto search = answered({report(7, "cp 1 nodes 99 pv e2e4")});
        search.aborted_at = 120;
        const auto repeated = limits_to_repeat(search, limits);
        CHECK(repeated.nodes == 120U);
        CHECK_FALSE(repeated.depth);
        CHECK(repeated.ends_by_itself());
    }
    SECTION("a move from a book: by the book") {
        CHECK_FALSE(limits_to_repeat(answered({}), limits).analysis);
        CHECK(limits_to_repeat(answered({report(1, "cp 1 nodes 5 pv e2e4")}), limits).analysis);
        CHECK_FALSE(first_difference(answered({}), answered({}, "bestmove d2d4")));
    }
    SECTION("a log that ends before the best move: beyond its last report") {
        const auto search =
            search_of({"> go infinite", "< " + report(7, "cp 1 nodes 5000 pv e2e4")});
        const auto repeated = limits_to_repeat(search, limits);
        REQUIRE(repeated.nodes);
        CHECK(*repeated.nodes > 5000);
        CHECK(repeated.ends_by_itself());
    }
}

TEST_CASE("answers that differ only in time are the same", "[replay]") {
    const auto then =
        answered({report(1, "cp 1 nodes 5 nps 100 hashfull 0 tbhits 0 time 1 pv e2e4"),
                  "info currmove e2e4 currmovenumber 1",
                  report(2, "cp 9 lowerbound nodes 6 nps 1 time 3001 pv e2e4"),
                  report(2, "cp 3 nodes 9 nps 1 time 3002 pv e2e4 e7e5")});
    const auto now = answered({report(1, "cp 1 nodes 5 nps 500 hashfull 0 tbhits 0 time 0 pv e2e4"),
                               report(2, "cp 3 nodes 9 nps 7 time 12 pv e2e4 e7e5")});
    CHECK_FALSE(first_difference(then, now));
}

TEST_CASE("a line that the endgame tables have extended less is the same", "[replay]") {
    const auto then = answered({report(1, "cp 19990 nodes 5 pv e2e4 e7e5 d2d4")});
    CHECK_FALSE(first_difference(then, answered({report(1, "cp 19990 nodes 5 pv e2e4")})));
    CHECK(first_difference(then, answered({report(1, "cp 19990 nodes 5 pv e2e4 d7d5")})));
    CHECK(first_difference(answered({report(1, "cp 1 nodes 5 pv e2e4 e7e5")}),
                           answered({report(1, "cp 1 nodes 5 pv e2e4")})));
}

TEST_CASE("the first difference of two answers is found", "[replay]") {
    const auto one = report(1, "cp 1 nodes 5 pv e2e4");
    const auto two = report(2, "cp 1 nodes 9 pv e2e4");
    SECTION("in a report") {
        const auto other = report(2, "cp 1 nodes 8 pv e2e4");
        const auto difference = first_difference(answered({one, two}), answered({one, other}));
        REQUIRE(difference);
        CHECK(difference->logged->number == 3);
        CHECK(difference->repeated == other);
    }
    SECTION("in a missing report") {
        const auto difference = first_difference(answered({one, two}), answered({one}));
        REQUIRE(difference);
        CHECK(difference->repeated.empty());
    }
    SECTION("in another report") {
        const auto difference = first_difference(answered({one}), answered({one, two}));
        REQUIRE(difference);
        CHECK_FALSE(difference->logged);
    }
    SECTION("in the best move") {
        const auto difference =
            first_difference(answered({one}), answered({one}, "bestmove e2e4 ponder e7e5"));
        REQUIRE(difference);
        CHECK(difference->repeated == "bestmove e2e4 ponder e7e5");
    }
    SECTION("not beyond the end of the log") {
        const auto cut_off = search_of({"> go infinite", "< " + one});
        CHECK_FALSE(first_difference(cut_off, answered({one, two})));
    }
}

TEST_CASE("other lines are compared by how often they are sent", "[replay]") {
    const std::vector<LoggedLine> then{
        {1, "readyok"}, {2, "info string a"}, {3, "readyok"}, {4, "Nodes/second: 5"}};
    const std::vector<LoggedLine> now{{0, "readyok"}, {0, "info string b"}};
    const auto missing = missing_messages(then, now);
    REQUIRE(missing.size() == 2);
    CHECK(missing[0].text == "info string a");
    CHECK(missing[1].number == 3);
    CHECK(missing_messages(now, then).size() == 1);
}
