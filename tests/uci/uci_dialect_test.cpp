#include "uci/uci_dialect.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "uci/uci_writer.hpp"

#include "tests/catch.hpp"

using uci::ExecutionMode;
using uci::UciDialect;

namespace {

/// A client in memory, who says lines and waits for words in what is said back.
class FakeTransport : public uci::transport::Transport {
public:
    explicit FakeTransport(bool is_interactive = false) : is_interactive_{is_interactive} {}

    bool is_interactive() const override { return is_interactive_; }
    std::optional<std::string> read_line() override {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return left_ || !lines_.empty(); });
        if (lines_.empty())
            return std::nullopt;
        auto line = std::move(lines_.front());
        lines_.pop_front();
        return line;
    }
    void write_line(std::string_view text) override {
        const std::lock_guard lock{mutex_};
        const auto best_move = text.find("\nbestmove ");
        has_heard_all_at_once_ = best_move != std::string_view::npos;
        heard_.emplace_back(text.substr(0, best_move));
        if (has_heard_all_at_once_)
            heard_.emplace_back(text.substr(best_move + 1));
        changed_.notify_all();
    }

    void say(std::string line) {
        const std::lock_guard lock{mutex_};
        lines_.push_back(std::move(line));
        changed_.notify_all();
    }
    void leave() {
        const std::lock_guard lock{mutex_};
        left_ = true;
        changed_.notify_all();
    }

    /// Waits for something that begins so, after what was waited for last.
    std::string await(const std::string& start) {
        std::unique_lock lock{mutex_};
        std::string found;
        const bool in_time = changed_.wait_for(lock, std::chrono::seconds{60}, [&] {
            while (next_ < heard_.size()) {
                const auto& text = heard_[next_++];
                if (text.compare(0, start.size(), start) == 0) {
                    found = text;
                    return true;
                }
            }
            return false;
        });
        CAPTURE(start);
        if (!in_time)
            FAIL("the engine does not say what it should");
        return found;
    }
    /// Whether what was heard last was a best move and the last report together.
    bool has_heard_all_at_once() {
        const std::lock_guard lock{mutex_};
        return has_heard_all_at_once_;
    }
    std::vector<std::string> heard() {
        const std::lock_guard lock{mutex_};
        return heard_;
    }

private:
    bool is_interactive_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> lines_;
    std::vector<std::string> heard_;
    bool has_heard_all_at_once_ = false;
    std::size_t next_ = 0;
    bool left_ = false;
};

/// A conversation that goes on while the test talks.
class Conversation {
public:
    Conversation() : thread_{[this] { UciDialect{engine_}.run(script_); }} {}
    ~Conversation() { end(); }
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    Conversation(Conversation&&) = delete;
    Conversation& operator=(Conversation&&) = delete;

    FakeTransport* operator->() { return &script_; }
    /// Leaves, and waits until the dialect has ended too.
    std::vector<std::string> end() {
        script_.leave();
        if (thread_.joinable())
            thread_.join();
        return script_.heard();
    }

private:
    engine::GeneralInterface engine_;
    FakeTransport script_;
    std::thread thread_;
};

std::vector<std::string> said_to(const std::vector<std::string>& lines,
                                 ExecutionMode mode = ExecutionMode::asynchronous) {
    engine::GeneralInterface engine;
    FakeTransport script;
    for (const auto& line : lines)
        script.say(line);
    script.leave();
    UciDialect{engine, mode}.run(script);
    return script.heard();
}

int count_of(const std::vector<std::string>& heard, const std::string& start) {
    int count = 0;
    for (const auto& line : heard)
        count += line.compare(0, start.size(), start) == 0 ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("uci is answered by the identification", "[uci_dialect]") {
    CHECK(said_to({"uci"}) == std::vector{uci::identification()});
    CHECK(said_to({"help", "quit"}) == std::vector{uci::help_text()});
}

TEST_CASE("input without a command gives no output", "[uci_dialect]") {
    CHECK(said_to({}).empty());
    CHECK(said_to({"", "  ", "\r"}).empty());
    CHECK(said_to({"ucinewgame", "position startpos", "stop", "ponderhit", "register later",
                   "setoption name Hash value 2"})
              .empty());
}

TEST_CASE("input after quit is not read", "[uci_dialect]") {
    CHECK(said_to({"isready", "quit", "isready", "uci"}) == std::vector<std::string>{"readyok"});
}

TEST_CASE("a usual game is played to its end", "[uci_dialect]") {
    Conversation talk;
    talk->say("uci");
    talk->await("id name Parley");
    talk->say("setoption name Hash value 2");
    talk->say("isready");
    talk->await("readyok");
    talk->say("ucinewgame");
    talk->say("position startpos moves e2e4 e7e5");
    talk->say("go wtime 1000 btime 1000 winc 10 binc 10");
    talk->await("info depth 1 ");
    CHECK(talk->await("bestmove ").size() >= 13);
    talk->say("position startpos moves f2f3 e7e5 g2g4");
    talk->say("go depth 3");
    CHECK(talk->await("bestmove ") == "bestmove d8h4");
    talk->say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    talk->say("go depth 3");
    CHECK(talk->await("bestmove ") == "bestmove (none)");
    CHECK(count_of(talk.end(), "bestmove ") == 3);
}

TEST_CASE("the last report of a search is written together with the best move", "[uci_dialect]") {
    Conversation talk;
    talk->say("setoption name MultiPV value 3");
    talk->say("position startpos");
    talk->say("go infinite");
    talk->await("info depth 4 ");
    talk->say("stop");
    talk->await("bestmove ");
    CHECK(talk->has_heard_all_at_once());
}

TEST_CASE("the end of the input ends a search with its bestmove", "[uci_dialect]") {
    const auto [go, is_told] = GENERATE(table<const char*, bool>({
        {"go infinite", false},
        {"go ponder", false},
        {"go", false},
        {"go wtime 1000000", true},
        {"go depth 2", false},
    }));
    CAPTURE(go);
    const auto heard = said_to({"position startpos", go});
    CHECK(count_of(heard, "bestmove ") == 1);
    CHECK(count_of(heard, "info string the search was stopped 3 s after the end of the input")
          == (is_told ? 1 : 0));
}

TEST_CASE("quit ends a search with its bestmove", "[uci_dialect]") {
    Conversation talk;
    talk->say("go infinite");
    talk->await("info depth 3 ");
    talk->say("quit");
    talk->await("bestmove ");
    CHECK(count_of(talk.end(), "bestmove ") == 1);
}

TEST_CASE("isready is answered at once during a search, and otherwise in order", "[uci_dialect]") {
    Conversation talk;
    talk->say("go infinite");
    talk->say("isready");
    talk->await("readyok");
    talk->say("stop");
    talk->say("isready");
    talk->await("bestmove ");
    talk->await("readyok");
    const auto heard = talk.end();
    CHECK(count_of(heard, "bestmove ") == 1);
    CHECK(count_of(heard, "readyok") == 2);
}

TEST_CASE("isready is answered after the warnings before it", "[uci_dialect]") {
    const auto heard = said_to({"setoption name Hash value much", "position fen nonsense",
                                "setoption name Nothing", "isready"});
    REQUIRE(heard.size() == 4);
    CHECK(heard[0].find("'much'") != std::string::npos);
    CHECK(heard[1].find("position refused") != std::string::npos);
    CHECK(heard[2].find("'Nothing'") != std::string::npos);
    CHECK(heard[3] == "readyok");
}

TEST_CASE("invalid input gives an info string and changes nothing", "[uci_dialect]") {
    const auto line =
        GENERATE("position startpos moves e2e5", "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
                 "position fen", "position", "position startpos e2e4", "xyzzy");
    CAPTURE(line);
    const auto heard = said_to({"position startpos moves d2d4", line, "isready", "fen", "quit"});
    REQUIRE(heard.size() == 3);
    CHECK(count_of(heard, "info string ") == 1);
    CHECK(heard[2] == "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
}

TEST_CASE("the valid parameters of a go are used", "[uci_dialect]") {
    const auto heard = said_to({"go depth 2 nodes x quickly"}, ExecutionMode::sequential);
    CHECK(count_of(heard, "info string go: ") == 2);
    CHECK(count_of(heard, "info depth 2 ") == 1);
    CHECK(count_of(heard, "info depth 3 ") == 0);
    CHECK(count_of(heard, "bestmove ") == 1);
}

TEST_CASE("with debug on, each line read is printed", "[uci_dialect]") {
    const auto heard = said_to({"isready", "debug on", "isready", "debug off", "isready"});
    CHECK(count_of(heard, "readyok") == 3);
    CHECK(count_of(heard, "info string read: isready") == 1);
}

TEST_CASE("castling is written as UCI_Chess960 requires", "[uci_dialect]") {
    const auto heard =
        said_to({"position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "go depth 2 searchmoves e1g1",
                 "setoption name UCI_Chess960 value true", "go depth 2 searchmoves e1g1"},
                ExecutionMode::sequential);
    CHECK(count_of(heard, "bestmove e1g1") == 1);
    CHECK(count_of(heard, "bestmove e1h1") == 1);
}

TEST_CASE("in sequential mode each command is finished before the next", "[uci_dialect]") {
    const auto heard =
        said_to({"go depth 3", "isready", "go perft 2", "d", "bench 1"}, ExecutionMode::sequential);
    CHECK(heard.size() >= 5);
    CHECK(count_of(heard, "bestmove ") == 1);
    CHECK(heard.back().find("Nodes searched: ") != std::string::npos);
    const auto position_of = [&](const std::string& part) {
        for (std::size_t i = 0; i < heard.size(); ++i) {
            if (heard[i].find(part) != std::string::npos)
                return i;
        }
        return heard.size();
    };
    CHECK(position_of("bestmove ") < position_of("readyok"));
    CHECK(position_of("readyok") < position_of("Nodes searched: 400"));
    CHECK(position_of("Nodes searched: 400") < position_of("Fen: "));
    CHECK(position_of("Fen: ") < position_of("Total time"));
}

TEST_CASE("in strict mode the first refused command is the last", "[uci_dialect]") {
    const std::string line =
        GENERATE("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5",
                 "setoption name Nothing value 1", "setoption name Hash value much", "why e2e5",
                 "setoption name Debug Log File value /nowhere/log");
    CAPTURE(line);
    engine::GeneralInterface engine;
    FakeTransport script;
    for (const auto& text : {std::string{"isready"}, line, std::string{"go depth 1"}})
        script.say(text);
    script.leave();
    UciDialect dialect{engine, ExecutionMode::strict};
    dialect.run(script);
    CHECK(script.heard() == std::vector<std::string>{"readyok"});
    CHECK(dialect.refusal());
}

TEST_CASE("in strict mode the last command may be refused", "[uci_dialect]") {
    engine::GeneralInterface engine;
    FakeTransport script;
    script.say("go depth 1");
    script.say("position startpos moves e2e5");
    script.leave();
    UciDialect dialect{engine, ExecutionMode::strict};
    dialect.run(script);
    CHECK(count_of(script.heard(), "bestmove ") == 1);
    CHECK(dialect.refusal() == "position refused: move 1: 'e2e5' is not a legal move here");
}

TEST_CASE("in strict mode all commands are carried out if none is refused", "[uci_dialect]") {
    engine::GeneralInterface engine;
    FakeTransport script;
    for (const auto* text :
         {"go infinite", "isready", "stop", "go depth 1", "d", "go infinite", "quit"})
        script.say(text);
    script.leave();
    UciDialect dialect{engine, ExecutionMode::strict};
    dialect.run(script);
    CHECK(count_of(script.heard(), "bestmove ") == 3);
    CHECK(count_of(script.heard(), "info string ") == 0);
    CHECK_FALSE(dialect.refusal());
}

TEST_CASE("perft and bench finish after the end of the input", "[uci_dialect]") {
    for (int i = 0; i < 50; ++i) {
        const auto heard = said_to({"go perft 3"});
        REQUIRE(heard.size() == 1);
        CHECK(heard[0].find("\nNodes searched: 8902") != std::string::npos);
    }
    const auto heard = said_to({"go infinite", "bench 1"});
    CHECK(heard.back().find("\nNodes searched: ") != std::string::npos);
}

TEST_CASE("a script's perft and bench are finished before its quit", "[uci_dialect]") {
    const auto heard = said_to({"go perft 3", "bench 1", "quit"});
    REQUIRE(heard.size() == 2);
    CHECK(heard[0].find("\nNodes searched: 8902") != std::string::npos);
    CHECK(heard[1].find("\nNodes searched: ") != std::string::npos);
    const auto explained = said_to({"go infinite", "why e2e4", "quit"});
    CHECK(explained.back().find("was stopped") == std::string::npos);
    CHECK(explained.back().find("info string ") == 0);
    // What nobody waits for ends at once.
    CHECK(count_of(said_to({"go infinite", "quit"}), "bestmove") == 1);
}

TEST_CASE("on a terminal quit does not wait for perft", "[uci_dialect]") {
    engine::GeneralInterface engine;
    FakeTransport script{true};
    script.say("go perft 30");
    script.say("quit");
    UciDialect{engine}.run(script);
    CHECK(script.heard() == std::vector<std::string>{"info string perft was stopped"});
}

TEST_CASE("pondering ends with ponderhit or stop", "[uci_dialect]") {
    const auto release = GENERATE("ponderhit", "stop");
    Conversation talk;
    talk->say("position startpos moves e2e4");
    talk->say("go ponder depth 4");
    talk->await("info depth 4 ");
    talk->say("isready");
    talk->await("readyok");
    talk->say(release);
    talk->await("bestmove ");
    CHECK(count_of(talk.end(), "bestmove ") == 1);
}

TEST_CASE("commands sent at once are all answered in order", "[uci_dialect]") {
    std::vector<std::string> lines;
    for (int i = 0; i < 100; ++i) {
        lines.emplace_back("position startpos moves e2e4");
        lines.emplace_back("go infinite");
        lines.emplace_back("stop");
        lines.emplace_back("ponderhit");
        lines.emplace_back("isready");
    }
    const auto heard = said_to(lines);
    CHECK(count_of(heard, "bestmove ") == 100);
    CHECK(count_of(heard, "readyok") == 100);
    int open = 0;
    for (const auto& line : heard) {
        if (line.compare(0, 8, "bestmove") == 0)
            ++open;
        if (line == "readyok")
            CHECK(open-- == 1);
    }
}

TEST_CASE("control characters and long lines do no harm", "[uci_dialect]") {
    std::string strange;
    for (int i = 0; i < 256; ++i)
        strange += static_cast<char>(i);
    const auto heard = said_to({strange, std::string(1'000'000, 'a'), "position fen " + strange,
                                "setoption name " + strange + " value " + strange,
                                "go depth 1 searchmoves " + strange, "isready"});
    CHECK(count_of(heard, "readyok") == 1);
    CHECK(count_of(heard, "bestmove ") == 1);
    for (const auto& line : heard) {
        CHECK(line.size() < 500);
        CHECK(line.find('\n') == std::string::npos);
    }
}
