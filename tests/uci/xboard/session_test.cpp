#include "uci/xboard/session.hpp"

#include <algorithm>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"

#include "uci/xboard/writer.hpp"

#include "tests/catch.hpp"

using namespace uci::xboard;
using engine::Milliseconds;

namespace {

/// A session and the engine that the test plays.
class Talk {
public:
    Talk() = default;
    explicit Talk(const std::vector<std::string>& lines) {
        for (const auto& line : lines)
            say(line);
    }

    /// Says a line; returns what is written.
    std::vector<std::string> say(const std::string& line) {
        return perform(session_.handle_line(line, std::chrono::steady_clock::now()));
    }
    /// The engine ends its oldest search with this move.
    std::vector<std::string> best(const std::string& move,
                                  const std::string& expected = "",
                                  engine::Score score = 0) {
        REQUIRE_FALSE(searches_.empty());
        auto game = searches_.front();
        searches_.erase(searches_.begin());
        engine::BestMove best;
        best.move = *core::read_move(game.position(), move);
        game.play(*best.move);
        if (!expected.empty())
            best.ponder = *core::read_move(game.position(), expected);
        best.score = score;
        return respond(best);
    }
    std::vector<std::string> respond(const engine::Response& response) {
        return perform(session_.handle_response(response));
    }
    /// The waiting for the engine is over.
    std::vector<std::string> synced() {
        REQUIRE(syncs_ > 0);
        --syncs_;
        return perform(session_.handle_synced());
    }
    std::vector<std::string> finish() { return perform(session_.finish()); }

    /// The commands posted since the last call.
    template <typename Kind>
    std::vector<Kind> posted() {
        std::vector<Kind> result;
        for (const auto& command : posted_) {
            if (const auto* value = std::get_if<Kind>(&command))
                result.push_back(*value);
        }
        posted_.clear();
        return result;
    }
    std::size_t searches() const { return searches_.size(); }

private:
    std::vector<std::string> perform(Actions actions) {
        std::vector<std::string> lines;
        for (auto& action : actions) {
            if (auto* line = std::get_if<std::string>(&action))
                lines.push_back(std::move(*line));
            else if (auto* command = std::get_if<engine::Command>(&action))
                post(std::move(*command));
            else
                ++syncs_;
        }
        return lines;
    }
    void post(engine::Command command) {
        if (const auto* game = std::get_if<engine::SetGameTo>(&command))
            game_ = game->game;
        if (std::holds_alternative<engine::Go>(command))
            searches_.push_back(game_);
        posted_.push_back(std::move(command));
    }

    Session session_;
    core::Game game_;
    std::vector<core::Game> searches_;
    std::vector<engine::Command> posted_;
    int syncs_ = 0;
};

using Lines = std::vector<std::string>;

const Lines none;

engine::Info info_of(const std::vector<std::string>& moves, int depth = 9) {
    engine::Info info;
    info.depth = depth;
    info.score = 156;
    info.nodes = 48'000;
    info.time = Milliseconds{10'840};
    core::Game game;
    for (const auto& text : moves) {
        const auto move = *core::read_move(game.position(), text);
        info.pv.push_back(move);
        game.play(move);
    }
    return info;
}

}  // namespace

TEST_CASE("the engine answers a move in a new game", "[xboard]") {
    Talk talk{{"xboard", "new", "level 0 5 0", "time 30000", "otim 29000"}};
    CHECK(talk.say("usermove e2e4") == none);
    const auto go = talk.posted<engine::Go>();
    REQUIRE(go.size() == 1);
    CHECK(go[0].limits.clocks[1].time == Milliseconds{300'000});
    CHECK(go[0].limits.clocks[0].time == Milliseconds{290'000});
    CHECK_FALSE(go[0].limits.ponder);
    CHECK(talk.best("e7e5") == Lines{"move e7e5"});
    CHECK(talk.say("e4e5") == Lines{"Illegal move: e4e5"});
    CHECK(talk.say("g1f3") == none);
    CHECK(talk.searches() == 1);
}

TEST_CASE("protover is answered by features that begin and end with done", "[xboard]") {
    Talk talk{{"xboard"}};
    const auto lines = talk.say("protover 2");
    REQUIRE(lines.size() > 10);
    CHECK(lines.front() == "feature done=0");
    CHECK(lines.back() == "feature done=1");
    for (const auto& line : lines) {
        CAPTURE(line);
        const auto option = line.find("option=");
        CHECK((option == std::string::npos || option == std::string{"feature "}.size()));
    }
}

TEST_CASE("in force mode the engine only checks moves", "[xboard]") {
    Talk talk{{"new", "force", "e2e4", "e7e5"}};
    CHECK(talk.searches() == 0);
    CHECK(talk.say("usermove e1e3") == Lines{"Illegal move: e1e3"});
    talk.say("go");
    CHECK(talk.searches() == 1);
    CHECK(talk.best("g1f3") == Lines{"move g1f3"});
    CHECK(talk.say("b8c6") == none);
    CHECK(talk.searches() == 1);
}

TEST_CASE("playother gives the engine the side that is not to move", "[xboard]") {
    Talk talk{{"new", "force", "playother", "e2e4"}};
    CHECK(talk.searches() == 1);
    CHECK(talk.best("c7c5") == Lines{"move c7c5"});
}

TEST_CASE("force, new, result, setboard and a move end thinking without a move", "[xboard]") {
    const auto* const line = GENERATE("force", "new", "result 1-0 {x}",
                                      "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e7e5");
    Talk talk{{"new", "e2e4"}};
    talk.posted<engine::Go>();
    CHECK(talk.say(line) == none);
    CHECK(talk.posted<engine::Stop>().size() == 1);
    CHECK(talk.best("d7d5") == none);
}

TEST_CASE("the searches of abandoned positions are silent", "[xboard]") {
    Talk talk{{"new", "post", "e2e4", "force", "undo", "d2d4", "go"}};
    CHECK(talk.searches() == 2);
    CHECK(talk.respond(info_of({"e2e4"})) == none);
    CHECK(talk.best("c7c5") == none);
    CHECK(talk.best("d7d5") == Lines{"move d7d5"});
}

TEST_CASE("a question mark asks for the move at once", "[xboard]") {
    Talk talk{{"new"}};
    CHECK(talk.say("?") == none);
    CHECK(talk.posted<engine::Stop>().empty());
    talk.say("e2e4");
    talk.say("?");
    CHECK(talk.posted<engine::Stop>().size() == 1);
    CHECK(talk.best("d7d5") == Lines{"move d7d5"});
}

TEST_CASE("ping is answered at once, but while thinking after the move", "[xboard]") {
    Talk talk{{"new"}};
    CHECK(talk.say("ping 1") == none);
    CHECK(talk.synced() == Lines{"pong 1"});
    talk.say("e2e4");
    CHECK(talk.say("ping 2") == none);
    CHECK(talk.say("ping 3") == none);
    CHECK(talk.best("d7d5") == Lines{"move d7d5"});
    CHECK(talk.synced() == Lines{"pong 2"});
    CHECK(talk.synced() == Lines{"pong 3"});
    talk.say("e4d5");
    talk.say("ping 4");
    CHECK(talk.say("force") == none);
    CHECK(talk.synced() == Lines{"pong 4"});
}

TEST_CASE("lines behind a ping wait for the pong", "[xboard]") {
    Talk talk{{"new", "ping 1"}};
    CHECK(talk.say("foo") == none);
    CHECK(talk.synced() == Lines{"pong 1", "Error (unknown command): foo"});
}

TEST_CASE("thinking is shown after post, with moves in SAN", "[xboard]") {
    Talk talk{{"new", "force", "go"}};
    CHECK(talk.respond(info_of({"g1f3", "b8c6"})) == none);
    talk.say("post");
    auto info = info_of({"g1f3", "b8c6"});
    CHECK(talk.respond(info) == Lines{"9 156 1084 48000 Nf3 Nc6"});
    info.bound = engine::Bound::upper;
    CHECK(talk.respond(info) == Lines{"9 156 1084 48000 Nf3 Nc6 ?"});
    info.bound = engine::Bound::lower;
    CHECK(talk.respond(info) == Lines{"9 156 1084 48000 Nf3 Nc6 !"});
    info.bound = engine::Bound::exact;
    info.score = engine::mate_in(5);
    CHECK(talk.respond(info) == Lines{"9 100003 1084 48000 Nf3 Nc6"});
    info.score = engine::mated_in(4);
    CHECK(talk.respond(info) == Lines{"9 -100002 1084 48000 Nf3 Nc6"});
    talk.say("nopost");
    CHECK(talk.respond(info) == none);
}

TEST_CASE("a mate ends the game with a claim", "[xboard]") {
    Talk talk{{"new", "force", "f2f3", "e7e5", "g2g4", "go"}};
    CHECK(talk.best("d8h4") == Lines{"move d8h4", "0-1 {Black mates}"});
    Talk other{{"new", "force", "f2f3", "e7e5", "playother"}};
    CHECK(other.say("g2g4") == none);
}

TEST_CASE("the opponent's mate is claimed too", "[xboard]") {
    Talk talk{{"new", "force", "f2f3", "e7e5", "g2g4", "playother"}};
    CHECK(talk.say("d8h4") == Lines{"0-1 {Black mates}"});
    CHECK(talk.searches() == 0);
}

TEST_CASE("draws by rule are claimed", "[xboard]") {
    const auto [fen, move, claim] = GENERATE(table<std::string, std::string, std::string>(
        {{"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "1/2-1/2 {Stalemate}"},
         {"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", "1/2-1/2 {Insufficient material}"},
         {"4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", "1/2-1/2 {Fifty-move rule}"}}));
    Talk talk{{"new", "force", "setboard " + fen, "playother"}};
    CHECK(talk.say(move) == Lines{claim});
}

TEST_CASE("a threefold repetition is claimed", "[xboard]") {
    Talk talk{{"new", "force", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "go"}};
    CHECK(talk.best("f6g8") == Lines{"move f6g8", "1/2-1/2 {Threefold repetition}"});
}

TEST_CASE("with hard the engine ponders and a hit goes on", "[xboard]") {
    Talk talk{{"new", "hard", "level 0 1 0", "time 6000", "e2e4"}};
    talk.posted<engine::Go>();
    CHECK(talk.best("e7e5", "g1f3") == Lines{"move e7e5"});
    auto go = talk.posted<engine::Go>();
    REQUIRE(go.size() == 1);
    CHECK(go[0].limits.ponder);
    talk.say("time 5999");
    CHECK(talk.say("g1f3") == none);
    CHECK(talk.posted<engine::PonderHit>().size() == 1);
    CHECK(talk.best("b8c6", "f1b5") == Lines{"move b8c6"});
    CHECK(talk.say("f1c4") == none);
    CHECK(talk.best("a7a6") == none);  // the ponder search, abandoned
    CHECK(talk.best("g8f6") == Lines{"move g8f6"});
}

TEST_CASE("a ponder search with a wrong clock is begun anew", "[xboard]") {
    Talk talk{{"new", "hard", "level 0 1 0", "time 6000", "e2e4"}};
    talk.best("e7e5", "g1f3");
    talk.say("time 1000");
    talk.posted<engine::Go>();
    talk.say("g1f3");
    const auto go = talk.posted<engine::Go>();
    REQUIRE(go.size() == 1);
    CHECK(go[0].limits.clocks[1].time == Milliseconds{10'000});
}

TEST_CASE("easy ends pondering", "[xboard]") {
    Talk talk{{"new", "hard", "e2e4"}};
    talk.best("e7e5", "g1f3");
    talk.posted<engine::Go>();
    talk.say("easy");
    CHECK(talk.posted<engine::Stop>().size() == 1);
}

TEST_CASE("analysis follows the moves and never moves itself", "[xboard]") {
    Talk talk{{"new", "post", "analyze"}};
    auto go = talk.posted<engine::Go>();
    REQUIRE(go.size() == 1);
    CHECK(go[0].limits.infinite);
    CHECK(go[0].limits.analysis);
    CHECK(talk.respond(info_of({"e2e4"})) == Lines{"9 156 1084 48000 e4"});
    talk.say("e2e4");
    CHECK(talk.best("d2d4") == none);
    CHECK(talk.searches() == 1);
    talk.say("undo");
    CHECK(talk.best("e7e5") == none);
    CHECK(talk.searches() == 1);
    const auto status = talk.say(".");
    REQUIRE(status.size() == 1);
    CHECK(status[0] == "stat01: 0 0 0 0 0");
    talk.respond(info_of({"e2e4"}));
    talk.respond(engine::CurrentMove{*core::read_move(core::Position::start(), "d2d4"), 5});
    const auto later = talk.say(".");
    REQUIRE(later.size() == 1);
    CHECK(later[0].ends_with(" 48000 9 15 20 d4"));
    CHECK(talk.say("exit") == none);
    CHECK(talk.best("e2e4") == none);
    CHECK(talk.say(".") == Lines{"Error (command not legal now): ."});
}

TEST_CASE("an option during analysis is set and the analysis goes on", "[xboard]") {
    Talk talk{{"new", "analyze", "option MultiPV=3"}};
    const auto options = talk.posted<engine::SetOption>();
    REQUIRE(options.size() == 1);
    CHECK(options[0].value == "3");
    CHECK(talk.best("e2e4") == none);
    CHECK(talk.searches() == 0);
    talk.synced();
    CHECK(talk.searches() == 1);
}

TEST_CASE("a refused option is an error that quotes the line", "[xboard]") {
    Talk talk{{"new", "memory lots"}};
    CHECK(talk.respond(engine::Refused{"Hash stays at 16"})
          == Lines{"Error (Hash stays at 16): memory lots"});
    // xboard takes some words for a failed start.
    CHECK(talk.respond(engine::Refused{"x: No such file or directory, not found"})
          == Lines{"Error (x: no such file or directory, missing): memory lots"});
}

TEST_CASE("an option waits while the engine thinks", "[xboard]") {
    Talk talk{{"new", "e2e4", "memory 5"}};
    CHECK(talk.posted<engine::SetOption>().empty());
    CHECK(talk.best("e7e5") == Lines{"move e7e5"});
    CHECK(talk.posted<engine::SetOption>().size() == 1);
}

TEST_CASE("notices are comments once the client accepts them", "[xboard]") {
    Talk talk;
    CHECK(talk.respond(engine::Notice{"book"}) == none);
    talk.say("accepted debug");
    CHECK(talk.respond(engine::Notice{"book"}) == Lines{"# book"});
}

TEST_CASE("an illegal position is refused, and moves until there is another", "[xboard]") {
    Talk talk{{"new", "force"}};
    const auto lines = talk.say("setboard 8/8/8/8/8/8/8/8 w - - 0 1");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with("tellusererror Illegal position"));
    for (const auto* line : {"e2e4", "go", "playother", "analyze", "undo", "exclude e2e4"})
        CHECK(talk.say(line) == Lines{std::string{"Error (command not legal now): "} + line});
    CHECK(talk.say("new") == none);
    CHECK(talk.say("e2e4") == none);
    CHECK(talk.searches() == 1);
}

TEST_CASE("undo and remove take back what there is", "[xboard]") {
    Talk talk{{"new", "e2e4"}};
    talk.best("e7e5");
    CHECK(talk.say("undo") == Lines{"Error (command not legal now): undo"});
    CHECK(talk.say("remove") == none);
    CHECK(talk.say("remove") == Lines{"Error (command not legal now): remove"});
    CHECK(talk.say("d2d4") == none);
    CHECK(talk.best("d7d5") == Lines{"move d7d5"});
    talk.say("force");
    CHECK(talk.say("undo") == none);
    CHECK(talk.say("undo") == none);
    CHECK(talk.say("undo") == Lines{"Error (command not legal now): undo"});
}

TEST_CASE("Chess960 castling is written as O-O", "[xboard]") {
    Talk talk{{"new", "variant fischerandom", "force", "setboard 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1",
               "go"}};
    CHECK(talk.best("O-O") == Lines{"move O-O"});
    Talk usual{{"new", "force", "setboard 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "go"}};
    CHECK(usual.best("O-O-O") == Lines{"move e1c1"});
}

TEST_CASE("limits come from level, st and sd", "[xboard]") {
    Talk talk{{"new", "level 40 5 0", "force", "go"}};
    auto limits = talk.posted<engine::Go>().at(0).limits;
    CHECK(limits.movestogo == 40);
    CHECK(limits.clocks[0].time == Milliseconds{300'000});
    talk.best("e2e4");
    talk.say("e7e5");
    limits = talk.posted<engine::Go>().at(0).limits;
    CHECK(limits.movestogo == 39);
    CHECK(limits.clocks[0].time <= Milliseconds{300'000});
    talk.say("force");
    talk.say("sd 7");
    talk.say("go");
    CHECK(talk.posted<engine::Go>().at(0).limits.depth == 7);
    talk.say("new");
    talk.say("e2e4");
    CHECK_FALSE(talk.posted<engine::Go>().at(0).limits.depth);
}

TEST_CASE("st limits a move, the clock may leave less", "[xboard]") {
    const auto [lines, time] = GENERATE(table<Lines, int>({{{"st 3"}, 3'000},
                                                           {{"st 3", "time 200"}, 2'000},
                                                           {{"st 3", "time 90000"}, 3'000},
                                                           {{"st 0"}, 100},
                                                           {{"st 0", "time 50"}, 500},
                                                           {{"st 0", "time 0"}, 1}}));
    Talk talk{{"new"}};
    for (const auto& line : lines)
        talk.say(line);
    talk.say("sd 7");
    talk.say("e2e4");
    const auto limits = talk.posted<engine::Go>().at(0).limits;
    CHECK(limits.movetime == Milliseconds{time});
    CHECK(limits.depth == 7);
    CHECK_FALSE(limits.has_clock());
}

TEST_CASE("excluded moves are not searched", "[xboard]") {
    Talk talk{{"new", "force", "setboard 7k/8/8/8/8/8/8/K7 w - - 0 1"}};
    talk.say("exclude a1a2");
    talk.say("analyze");
    auto limits = talk.posted<engine::Go>().at(0).limits;
    CHECK(limits.searchmoves.size() == 2);
    CHECK(talk.say("exclude a1c1") == Lines{"Illegal move: a1c1"});
    talk.say("exclude all");
    CHECK(talk.posted<engine::Go>().empty());
    talk.say("include a1b1");
    limits = talk.posted<engine::Go>().at(0).limits;
    CHECK(limits.searchmoves == Lines{"a1b1"});
    talk.say("include all");
    CHECK(talk.posted<engine::Go>().at(0).limits.searchmoves.empty());
}

TEST_CASE("a draw is accepted when the engine is worse", "[xboard]") {
    const auto [score, lines] =
        GENERATE(table<int, Lines>({{50, {"move e7e5"}}, {-150, {"offer draw", "move e7e5"}}}));
    Talk talk{{"new", "e2e4", "draw"}};
    CHECK(talk.best("e7e5", "", score) == lines);
    CHECK(talk.say("draw") == (score < 0 ? Lines{"offer draw"} : none));
}

TEST_CASE("hint tells the expected answer", "[xboard]") {
    Talk talk{{"new", "e2e4"}};
    CHECK(talk.say("hint") == none);
    talk.best("e7e5", "g1f3");
    CHECK(talk.say("hint") == Lines{"Hint: g1f3"});
}

TEST_CASE("the end of the input leaves only a move that is thought about", "[xboard]") {
    Talk thinking{{"new", "hard", "e2e4"}};
    CHECK(thinking.finish() == none);
    CHECK(thinking.posted<engine::Stop>().empty());
    CHECK(thinking.best("e7e5", "g1f3") == Lines{"move e7e5"});
    CHECK(thinking.searches() == 0);
    Talk analysing{{"new", "analyze"}};
    analysing.finish();
    CHECK(analysing.posted<engine::Stop>().size() == 1);
}
