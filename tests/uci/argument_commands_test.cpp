#include "uci/argument_commands.hpp"

#include "tests/catch.hpp"

using uci::read_argument_commands;
using Words = std::vector<std::string>;

namespace {

std::string fault_of(const Words& arguments) {
    const auto commands = read_argument_commands(arguments);
    REQUIRE_FALSE(commands);
    return commands.reason();
}

}  // namespace

TEST_CASE("arguments are one command, or several", "[argument_commands]") {
    const auto [arguments, commands] = GENERATE(table<Words, Words>({
        {{"go", "depth", "3"}, {"go depth 3"}},
        {{"go depth 3"}, {"go depth 3"}},
        {{"position startpos", "go depth 3", "d"}, {"position startpos", "go depth 3", "d"}},
        {{"go", "position\tstartpos"}, {"go", "position\tstartpos"}},
        {{"d"}, {"d"}},
        {{"d", "eval", "fen"}, {"d", "eval", "fen"}},
        {{"uci", "go depth 3"}, {"uci", "go depth 3"}},
        {{"setoption", "name", "Hash", "value", "2"}, {"setoption name Hash value 2"}},
        {{"why", "e2e4"}, {"why e2e4"}},
        {{"register", "later"}, {"register later"}},
    }));
    CAPTURE(arguments);
    const auto read = read_argument_commands(arguments);
    REQUIRE(read);
    CHECK(*read == commands);
}

TEST_CASE("a command with a fault is refused", "[argument_commands]") {
    const auto [arguments, fault] = GENERATE(table<Words, std::string>({
        {{"go", "dpeth", "5"}, "go: 'dpeth' is not a parameter of go"},
        {{"go", "depth"}, "go: depth needs a number"},
        {{"go", "depth", "x"}, "go: depth must be an integer, not 'x'"},
        {{"go depth 2", "go mate"}, "go: mate needs a number"},
        {{"go", "depth", "3", "d"}, "go: 'd' is not a parameter of go"},
        {{"position", "startpos", "d"}, "position refused: expected 'moves', found 'd'"},
        {{"d", "position"}, "position refused: it begins with startpos or fen"},
        {{"go depth 2", "psition startpos"}, "unknown command 'psition'; did you mean 'position'?"},
        {{"go depth 2", "now go depth 3"}, "unknown command 'now'"},
        {{"go depth 2", ""}, "unknown command ''"},
        {{"eval", "all"}, "unexpected word 'all' in 'eval all'"},
        {{"go depth 2", "isready now"}, "unexpected word 'now' in 'isready now'"},
        {{"debug", "on", "off"}, "unexpected word 'off' in 'debug on off'"},
        {{"go depth 2", "bench 2 3"}, "unexpected word '3' in 'bench 2 3'"},
    }));
    CAPTURE(arguments);
    CHECK(fault_of(arguments) == fault);
}
