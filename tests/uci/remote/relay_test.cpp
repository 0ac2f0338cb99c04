#include "uci/remote/relay.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using uci::remote::Relay;
using Milliseconds = Relay::Milliseconds;
using Lines = std::vector<std::string>;

namespace {

/// A relay with a clock that is set by hand.
class Table {
public:
    Table() { gui("uci"); }

    void gui(std::string_view line) { relay.on_gui_line(line, now); }
    void server(std::string_view line) { relay.on_server_line(line, now); }
    void local(std::string_view line) { relay.on_local_line(line, now); }
    void up(int lag = 0) { relay.on_server_up("host", Milliseconds{lag}, now); }
    void down() { relay.on_server_down("cut", now); }
    /// The server answers all that it owes.
    void settle() {
        for (int i = 0; i < 20; ++i)
            server("readyok");
    }
    /// Time passes, with the calls that the relay asks for.
    void pass(int milliseconds) {
        const auto end = now + Milliseconds{milliseconds};
        for (auto wake = relay.next_wake(now); wake && *wake <= end; wake = relay.next_wake(now)) {
            now = std::max(now, *wake);
            relay.on_time(now);
        }
        now = end;
    }
    Lines best_moves() const {
        Lines lines;
        std::copy_if(to_gui.begin(), to_gui.end(), std::back_inserter(lines),
                     [](const auto& line) { return line.starts_with("bestmove"); });
        return lines;
    }
    static bool has(const Lines& lines, std::string_view wanted) {
        return std::find(lines.begin(), lines.end(), wanted) != lines.end();
    }

    Relay::Time now = std::chrono::steady_clock::now();
    Lines to_gui;
    Lines to_server;
    Lines to_local;
    int cuts = 0;
    Relay relay{{[this](std::string line) { to_gui.push_back(std::move(line)); },
                 [this](std::string line) { to_server.push_back(std::move(line)); },
                 [this](std::string line) { to_local.push_back(std::move(line)); },
                 [this](bool /*lies*/) { ++cuts; }},
                "uciok",
                {.threads = 2, .hash = 128}};
};

}  // namespace

TEST_CASE("the server is waited for a tenth of the clock, then the local engine plays",
          "[remote]") {
    Table table;
    table.gui("go wtime 10000 btime 90000");
    table.pass(990);
    CHECK_FALSE(Table::has(table.to_local, "position startpos"));
    table.pass(20);
    REQUIRE(table.to_local.size() >= 3);
    CHECK(table.to_local.back() == "go wtime 9000 btime 90000");
    table.local("readyok");
    table.up();
    CHECK_FALSE(Table::has(table.to_server, "position startpos"));
    table.local("bestmove e2e4");
    CHECK(table.best_moves() == Lines{"bestmove e2e4"});
}

TEST_CASE("a server that returns in time gets the search with the time that is left", "[remote]") {
    Table table;
    table.up();
    table.settle();
    table.gui("position startpos moves e2e4");
    table.gui("go wtime 9000 btime 10000");
    table.server("readyok");
    table.server("info depth 3 score cp 1 pv e7e5");
    table.pass(300);
    table.down();
    table.pass(200);
    table.up();
    CHECK(table.to_server.back() == "go wtime 9000 btime 9500");
    table.server("readyok");
    table.server("bestmove e7e5 ponder d2d4");
    CHECK(table.best_moves() == Lines{"bestmove e7e5 ponder d2d4"});
    table.server("bestmove e7e5");
    CHECK(table.best_moves().size() == 1);
}

TEST_CASE("a silent server is probed and given up before the clock is lost", "[remote]") {
    Table table;
    table.up();
    table.settle();
    table.gui("go wtime 3000 btime 3000");
    table.pass(299);
    CHECK(table.cuts == 0);
    table.pass(700);
    CHECK(table.cuts == 1);
    CHECK(table.to_local.back().starts_with("go wtime "));
    table.pass(1'800);
    REQUIRE(table.best_moves().size() == 1);  // although the local engine says nothing either
}

TEST_CASE("an answering server may think as long as it likes without a clock", "[remote]") {
    Table table;
    table.up();
    table.settle();
    table.gui("go depth 30");
    table.server("readyok");
    for (int second = 0; second < 100; ++second) {
        table.pass(1'000);
        table.server("readyok");
    }
    CHECK(table.cuts == 0);
    CHECK(table.best_moves().empty());
    table.server("bestmove d2d4");
    CHECK(table.best_moves() == Lines{"bestmove d2d4"});
}

TEST_CASE("the last pv answers when the time is nearly over", "[remote]") {
    Table table;
    table.up();
    table.settle();
    table.gui("go movetime 1000");
    table.server("readyok");
    table.server("info depth 1 multipv 1 score cp 1 pv g1f3");
    table.server("info depth 1 multipv 2 score cp 1 pv a2a3");
    table.server("info depth 2 multipv 1 score cp 1 pv e2e5");
    for (int i = 0; i < 110; ++i) {
        table.pass(10);
        table.server("readyok");
    }
    CHECK(table.best_moves() == Lines{"bestmove g1f3"});
}

TEST_CASE("each order of stop and of lost lines gives one answer", "[remote]") {
    // u: up, d: down, s: stop, t: time, r: readyok, b: bestmove of the server, l: of the local
    // engine
    std::string events = "bdlrstu";
    do {
        CAPTURE(events);
        Table table;
        table.up();
        table.settle();
        table.gui("go infinite");
        for (const char event : events) {
            switch (event) {
                case 'u': table.up(); break;
                case 'd': table.down(); break;
                case 's': table.gui("stop"); break;
                case 't': table.pass(4'000); break;
                case 'r': table.server("readyok"); break;
                case 'b': table.server("bestmove e2e4"); break;
                default: table.local("readyok"); table.local("bestmove d2d4");
            }
        }
        table.pass(2'000);
        REQUIRE(table.best_moves().size() == 1);
        // The next search is answered by its own move alone.
        table.gui("position startpos moves e2e4");
        table.gui("go depth 5");
        table.server("bestmove e2e4");
        table.local("bestmove e2e4");
        CHECK(table.best_moves().size() == 1);
        table.gui("stop");
        table.pass(2'000);
        CHECK(table.best_moves().size() == 2);
    } while (std::next_permutation(events.begin(), events.end()));
}

TEST_CASE("the server leaves time for the way of its moves", "[remote]") {
    Table table;
    table.gui("setoption name Move Overhead value 100");
    table.up(70);
    CHECK(Table::has(table.to_server, "setoption name Move Overhead value 170"));
}

TEST_CASE("the local engine gets no more of the machine than is good for it", "[remote]") {
    Table table;
    table.gui("setoption name Hash value 4096");
    table.gui("setoption name Threads value 64");
    CHECK(table.to_local
          == Lines{"setoption name Hash value 128", "setoption name Threads value 2"});
    CHECK(table.relay.settings()
          == Lines{"setoption name Hash value 4096", "setoption name Threads value 64"});
}

TEST_CASE("a table that is emptied is no silence", "[remote]") {
    Table table;
    table.up();
    table.settle();
    table.gui("setoption name Hash value 4096");
    table.gui("go infinite");
    table.pass(20'000);
    CHECK(table.cuts == 0);
    table.gui("stop");
    table.pass(400);
    // With a clock the local engine plays meanwhile, and the connection stays.
    table.gui("go wtime 5000 btime 5000");
    table.pass(600);
    CHECK(table.cuts == 0);
    CHECK(table.to_local.back().starts_with("go wtime "));
}
