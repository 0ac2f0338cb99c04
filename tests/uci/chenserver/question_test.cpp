#include "uci/chenserver/question.hpp"

#include "tests/catch.hpp"

using namespace uci::chenserver;
using namespace std::string_literals;

namespace {

using Words = std::vector<std::string>;

struct Row {
    std::string line;
    Verb verb;
    Words arguments;
};

}  // namespace

TEST_CASE("a line is a verb and its arguments", "[chenserver]") {
    const auto row = GENERATE(
        Row{"status", Verb::status, {}}, Row{"new", Verb::new_game, {}},
        Row{"  \t\v\f\r exit \r", Verb::exit, {}}, Row{"history pgn", Verb::history, {"pgn"}},
        Row{"legal\talg  x", Verb::legal, {"alg", "x"}},
        Row{"move e4\r e5\v\fNf3", Verb::move, {"e4", "e5", "Nf3"}}, Row{"move", Verb::move, {}},
        Row{"test e4\0x"s, Verb::test, {"e4\0x"s}}, Row{"think 10", Verb::think, {"10"}},
        Row{"undo \xff", Verb::undo, {"\xff"}}, Row{"hint 1", Verb::hint, {"1"}},
        Row{"setup start", Verb::setup, {"start"}}, Row{"pgn", Verb::pgn, {}},
        Row{"evaluate", Verb::evaluate, {}}, Row{"halt now", Verb::halt, {"now"}});
    CAPTURE(row.line);
    const auto reading = read_question(row.line);
    const auto* question = std::get_if<Question>(&reading);
    REQUIRE(question);
    CHECK(question->verb == row.verb);
    CHECK(question->arguments == row.arguments);
    CHECK(question->game.empty());
    CHECK(is_command(row.line));
}

TEST_CASE("a game can be named in front of a command", "[chenserver]") {
    const auto reading = read_question("game a.B-9_ move e4 e5");
    const auto* question = std::get_if<Question>(&reading);
    REQUIRE(question);
    CHECK(question->game == "a.B-9_");
    CHECK(question->verb == Verb::move);
    CHECK(question->arguments == Words{"e4", "e5"});
}

TEST_CASE("what is no question has its answer", "[chenserver]") {
    const auto [line, answer] = GENERATE(
        table<std::string, std::string>({{"", "CANNOT_PARSE"},
                                         {" \t\v\f\r", "CANNOT_PARSE"},
                                         {"STATUS", "UNKNOWN_COMMAND"},
                                         {"statu", "UNKNOWN_COMMAND"},
                                         {"statuss", "UNKNOWN_COMMAND"},
                                         {"status\0"s, "UNKNOWN_COMMAND"},
                                         {"\0status"s, "UNKNOWN_COMMAND"},
                                         {"uci", "UNKNOWN_COMMAND"},
                                         {"position startpos", "UNKNOWN_COMMAND"},
                                         {"stop", "UNKNOWN_COMMAND"},
                                         {"go", "UNKNOWN_COMMAND"},
                                         {"quit", "UNKNOWN_COMMAND"},
                                         {"game", "BAD_ARGS"},
                                         {"game a", "BAD_ARGS"},
                                         {"game a/b status", "BAD_NAME"},
                                         {"game \xc3\xa4 status", "BAD_NAME"},
                                         {"game a\0 status"s, "BAD_NAME"},
                                         {"game " + std::string(65, 'a') + " status", "BAD_NAME"},
                                         {"game a exit", "UNKNOWN_COMMAND"},
                                         {"game a uci", "UNKNOWN_COMMAND"},
                                         {"game a game b status", "UNKNOWN_COMMAND"}}));
    CAPTURE(line);
    const auto reading = read_question(line);
    const auto* said = std::get_if<std::string>(&reading);
    REQUIRE(said);
    CHECK(*said == answer);
}

TEST_CASE("only commands are commands", "[chenserver]") {
    CHECK(is_command("game"));
    CHECK(is_command(" game a"));
    const std::string line = GENERATE("", " ", "uci", "go", "isready", "position startpos", "quit",
                                      "{\"message_type\":1}", "Status", "games", "eval", "stop");
    CAPTURE(line);
    CHECK_FALSE(is_command(line));
}

TEST_CASE("what only looks changes nothing", "[chenserver]") {
    for (const auto verb :
         {Verb::status, Verb::legal, Verb::history, Verb::test, Verb::evaluate, Verb::pgn})
        CHECK_FALSE(changes_something(verb));
    for (const auto verb : {Verb::exit, Verb::move, Verb::new_game, Verb::think, Verb::undo,
                            Verb::halt, Verb::hint, Verb::setup})
        CHECK(changes_something(verb));
}
