#include "uci/chenserver/command.hpp"

#include "tests/catch.hpp"

using namespace uci::chenserver;
using namespace std::string_literals;

namespace {

using Words = std::vector<std::string>;

struct Row {
    std::string line;
    CommandKind kind;
    Words arguments;
};

}  // namespace

TEST_CASE("only a game with a name can be closed", "[chenserver]") {
    const auto parsed = parse_command("game a close");
    const auto* command = std::get_if<Command>(&parsed);
    REQUIRE(command);
    CHECK(command->kind == CommandKind::close);
    CHECK(command->game == "a");
    CHECK(std::get<std::string>(parse_command("close")) == "UNKNOWN_COMMAND");
    CHECK_FALSE(is_command("close"));
}

TEST_CASE("a line is parsed into a command and its arguments", "[chenserver]") {
    const auto row = GENERATE(
        Row{"status", CommandKind::status, {}}, Row{"new", CommandKind::new_game, {}},
        Row{"  \t\v\f\r exit \r", CommandKind::exit, {}},
        Row{"history pgn", CommandKind::history, {"pgn"}},
        Row{"legal\talg  x", CommandKind::legal, {"alg", "x"}},
        Row{"move e4\r e5\v\fNf3", CommandKind::move, {"e4", "e5", "Nf3"}},
        Row{"move", CommandKind::move, {}}, Row{"test e4\0x"s, CommandKind::test, {"e4\0x"s}},
        Row{"think 10", CommandKind::think, {"10"}}, Row{"undo \xff", CommandKind::undo, {"\xff"}},
        Row{"hint 1", CommandKind::hint, {"1"}}, Row{"setup start", CommandKind::setup, {"start"}},
        Row{"pgn", CommandKind::pgn, {}}, Row{"evaluate", CommandKind::evaluate, {}},
        Row{"halt now", CommandKind::halt, {"now"}});
    CAPTURE(row.line);
    const auto parsed = parse_command(row.line);
    const auto* command = std::get_if<Command>(&parsed);
    REQUIRE(command);
    CHECK(command->kind == row.kind);
    CHECK(command->arguments == row.arguments);
    CHECK(command->game.empty());
    CHECK(is_command(row.line));
}

TEST_CASE("a prefix names the game of a command", "[chenserver]") {
    const auto parsed = parse_command("game a.B-9_ move e4 e5");
    const auto* command = std::get_if<Command>(&parsed);
    REQUIRE(command);
    CHECK(command->game == "a.B-9_");
    CHECK(command->kind == CommandKind::move);
    CHECK(command->arguments == Words{"e4", "e5"});
}

TEST_CASE("a line that is no command has an error as its answer", "[chenserver]") {
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
    const auto parsed = parse_command(line);
    const auto* error = std::get_if<std::string>(&parsed);
    REQUIRE(error);
    CHECK(*error == answer);
}

TEST_CASE("a first word that is no command is not recognised", "[chenserver]") {
    CHECK(is_command("game"));
    CHECK(is_command(" game a"));
    const std::string line = GENERATE("", " ", "uci", "go", "isready", "position startpos", "quit",
                                      "{\"message_type\":1}", "Status", "games", "eval", "stop");
    CAPTURE(line);
    CHECK_FALSE(is_command(line));
}

TEST_CASE("only commands that change something are mutating", "[chenserver]") {
    for (const auto kind : {CommandKind::status, CommandKind::legal, CommandKind::history,
                            CommandKind::test, CommandKind::evaluate, CommandKind::pgn})
        CHECK_FALSE(is_mutating(kind));
    for (const auto kind :
         {CommandKind::exit, CommandKind::move, CommandKind::new_game, CommandKind::think,
          CommandKind::undo, CommandKind::halt, CommandKind::hint, CommandKind::setup})
        CHECK(is_mutating(kind));
}
