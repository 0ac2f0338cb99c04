#include "uci/uci_parser.hpp"

#include "tests/catch.hpp"

using namespace uci;

namespace {

ParsedCommand read(std::string_view line) {
    return parse_command(line, engine::TimePoint{});
}

/// Whether a line is read as a command of that kind, without a warning.
template <typename Kind>
bool reads_as(std::string_view line) {
    const auto parsed = read(line);
    return std::holds_alternative<Kind>(parsed.command) && parsed.warnings.empty();
}

/// The one warning about a line that asks for nothing.
std::string warning_about(std::string_view line) {
    const auto parsed = read(line);
    CAPTURE(line);
    CHECK(std::holds_alternative<Empty>(parsed.command));
    REQUIRE(parsed.warnings.size() == 1);
    return parsed.warnings.front();
}

bool begins_with(const std::string& text, std::string_view start) {
    return text.compare(0, start.size(), start) == 0;
}

}  // namespace

TEST_CASE("every command has its word", "[uci_parser]") {
    CHECK(reads_as<Identify>("uci"));
    CHECK(reads_as<IsReady>("isready"));
    CHECK(reads_as<engine::NewGame>("ucinewgame"));
    CHECK(reads_as<engine::SetGame>("position startpos"));
    CHECK(reads_as<engine::Go>("go"));
    CHECK(reads_as<engine::Stop>("stop"));
    CHECK(reads_as<engine::PonderHit>("ponderhit"));
    CHECK(reads_as<engine::Quit>("quit"));
    CHECK(reads_as<engine::SetOption>("setoption name Hash value 1"));
    CHECK(reads_as<Debug>("debug on"));
    CHECK(reads_as<engine::Bench>("bench"));
    CHECK(reads_as<engine::Perft>("go perft 3"));
    CHECK(reads_as<Display>("d"));
    CHECK(reads_as<Display>("eval"));
    CHECK(reads_as<Display>("fen"));
    CHECK(reads_as<Help>("help"));
}

TEST_CASE("register is accepted and ignored", "[uci_parser]") {
    CHECK(reads_as<Empty>("register later"));
    CHECK(reads_as<Empty>("register name Stefan MK code 4359874324"));
}

TEST_CASE("blanks of every kind around and between words do not matter", "[uci_parser]") {
    const auto line = GENERATE("isready", " isready", "isready ", "\tisready\t", "isready\r",
                               "\r\n isready \r\n", "\v\fisready");
    CHECK(reads_as<IsReady>(line));
    CHECK(reads_as<IsReady>(std::string_view{"\0isready\0", 9}));
    CHECK(reads_as<engine::SetGame>("  position \t startpos\t\tmoves  e2e4\r"));
}

TEST_CASE("an empty line is an empty command", "[uci_parser]") {
    const auto line = GENERATE("", " ", "\t", "\r", " \t \r\n");
    CHECK(reads_as<Empty>(line));
    CHECK(reads_as<Empty>(std::string_view{"\0\0", 2}));
}

TEST_CASE("a word too many does not change a command, and is reported", "[uci_parser]") {
    const auto [line, surplus] = GENERATE(table<const char*, const char*>({
        {"isready now please", "now"},
        {"d eval", "eval"},
        {"debug on off", "off"},
        {"bench 3 4", "4"},
        {"isready", ""},
        {"position startpos moves e2e4", ""},
        {"setoption name Hash value 2", ""},
        {"register later", ""},
    }));
    CAPTURE(line);
    const auto parsed = read(line);
    CHECK(parsed.warnings.empty());
    CHECK(parsed.surplus == surplus);
}

TEST_CASE("words before the first known command are skipped", "[uci_parser]") {
    CHECK(reads_as<IsReady>("joho isready"));
    CHECK(reads_as<IsReady>("one two three isready"));
    const auto parsed = read("joho debug on");
    REQUIRE(std::holds_alternative<Debug>(parsed.command));
    CHECK(std::get<Debug>(parsed.command).on);
    CHECK(reads_as<engine::Quit>("\x01\x02 quit"));
}

TEST_CASE("a line without a known command gives a warning", "[uci_parser]") {
    CHECK(warning_about("joho") == "unknown command 'joho'; help lists the commands");
    CHECK(warning_about("ISREADY") == "unknown command 'ISREADY'; help lists the commands");
    CHECK(warning_about("isready?") == "unknown command 'isready?'; help lists the commands");
    CHECK(warning_about("one two") == "unknown command 'one'; help lists the commands");
}

TEST_CASE("a warning is a short line of plain letters, whatever it is about", "[uci_parser]") {
    const std::string strange = "\xff\xfe\x80\x1b[31m";
    const auto line = GENERATE_COPY(
        as<std::string>{}, strange, std::string(1'000'000, 'x'), "position " + strange + " moves",
        "position " + std::string(100'000, 'y'), "go depth " + std::string(100'000, 'z'),
        "go " + std::string(100'000, 'z'), "setoption " + strange, "debug " + strange,
        "bench " + std::string(100'000, '7'));
    const auto parsed = read(line);
    for (const auto& warning : parsed.warnings) {
        CHECK(warning.size() < 250);
        for (const char letter : warning)
            CHECK((letter >= ' ' && letter <= '~'));
    }
    CHECK_FALSE(parsed.warnings.empty());
}

TEST_CASE("debug is on or off", "[uci_parser]") {
    CHECK(std::get<Debug>(read("debug on").command).on);
    CHECK_FALSE(std::get<Debug>(read(" debug  off ").command).on);
    const auto line = GENERATE("debug", "debug yes", "debug ON", "debug 1");
    CHECK(warning_about(line) == "debug is followed by on or off");
}

TEST_CASE("d, eval and fen display something", "[uci_parser]") {
    const auto [line, kind] =
        GENERATE(table<const char*, DisplayKind>({{"d", DisplayKind::diagram},
                                                  {"eval", DisplayKind::evaluation},
                                                  {"fen", DisplayKind::fen}}));
    CHECK(std::get<Display>(read(line).command).kind == kind);
}

TEST_CASE("bench may have a depth", "[uci_parser]") {
    CHECK_FALSE(std::get<engine::Bench>(read("bench").command).depth);
    CHECK(std::get<engine::Bench>(read("bench 1").command).depth == 1);
    CHECK(std::get<engine::Bench>(read(" bench  60 ").command).depth == 60);
    const auto line = GENERATE("bench 0", "bench 61", "bench -3", "bench x", "bench 5.5",
                               "bench 99999999999999999999");
    CHECK(begins_with(warning_about(line), "bench is followed by a depth from 1 to 60"));
}

TEST_CASE("an option has a name and a value, which may hold blanks", "[uci_parser]") {
    const auto [line, name, value] = GENERATE(table<const char*, const char*, const char*>({
        {"setoption name Hash value 32", "Hash", "32"},
        {"setoption   name\tHash  value   32  ", "Hash", "32"},
        {"setoption name Move Overhead value 30", "Move Overhead", "30"},
        {"setoption name  Move   Overhead  value 30", "Move Overhead", "30"},
        {"setoption name Clear Hash", "Clear Hash", ""},
        {"setoption name Clear Hash value", "Clear Hash", ""},
        {"setoption name Style value very  wild indeed", "Style", "very  wild indeed"},
        {"setoption name NalimovPath value c:\\chess\\tb;d:\\tb", "NalimovPath",
         "c:\\chess\\tb;d:\\tb"},
        {"setoption name Text value a value is a value", "Text", "a value is a value"},
        {"setoption name Hash value 32\r", "Hash", "32"},
    }));
    CAPTURE(line);
    const auto parsed = read(line);
    REQUIRE(std::holds_alternative<engine::SetOption>(parsed.command));
    CHECK(parsed.warnings.empty());
    CHECK(std::get<engine::SetOption>(parsed.command).name == name);
    CHECK(std::get<engine::SetOption>(parsed.command).value == value);
}

TEST_CASE("an option without a name gives a warning", "[uci_parser]") {
    const auto line = GENERATE("setoption", "setoption Hash value 32", "setoption name",
                               "setoption name value 32", "setoption value 32");
    CHECK(begins_with(warning_about(line), "setoption refused: "));
}

TEST_CASE("a position is the start or a FEN, and moves", "[uci_parser]") {
    using Moves = std::vector<std::string>;
    const auto [line, fen, moves] = GENERATE(table<const char*, std::optional<std::string>, Moves>({
        {"position startpos", std::nullopt, {}},
        {"position startpos moves", std::nullopt, {}},
        {"position startpos moves e2e4", std::nullopt, {"e2e4"}},
        {"  position\tstartpos   moves e2e4\te7e5 \r", std::nullopt, {"e2e4", "e7e5"}},
        {"position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ", {}},
        {"position fen 4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - ", {}},
        {"position fen  4k3/8/8/8/8/8/8/4K3   w - - 0 1  moves  e1e2",
         "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ",
         {"e1e2"}},
        {"position fen", "", {}},
        {"position fen moves e2e4", "", {"e2e4"}},
    }));
    CAPTURE(line);
    const auto parsed = read(line);
    REQUIRE(std::holds_alternative<engine::SetGame>(parsed.command));
    CHECK(parsed.warnings.empty());
    const auto& game = std::get<engine::SetGame>(parsed.command);
    CHECK(game.fen == fen);
    CHECK(game.moves == moves);
}

TEST_CASE("a position that begins with another word gives a warning", "[uci_parser]") {
    CHECK(warning_about("position") == "position refused: it begins with startpos or fen");
    CHECK(warning_about("position moves e2e4")
          == "position refused: it begins with startpos or fen, not with 'moves'");
    CHECK(warning_about("position 4k3/8/8/8/8/8/8/4K3 w - - 0 1")
          == "position refused: it begins with startpos or fen, not with '4k3/8/8/8/8/8/8/4K3'");
    CHECK(warning_about("position startpos e2e4")
          == "position refused: expected 'moves', found 'e2e4'");
}

TEST_CASE("a position of very many moves is read", "[uci_parser]") {
    std::string line = "position startpos moves";
    for (int i = 0; i < 100'000; ++i)
        line += " g1f3";
    CHECK(std::get<engine::SetGame>(read(line).command).moves.size() == 100'000);
}

TEST_CASE("the command words are the first words of all commands", "[uci_parser]") {
    for (const auto word : uci_command_words()) {
        CAPTURE(word);
        CHECK(is_uci_command(word));
        const auto parsed = read(word);
        const bool unknown =
            !parsed.warnings.empty() && begins_with(parsed.warnings[0], "unknown command");
        CHECK_FALSE(unknown);
    }
    CHECK_FALSE(is_uci_command("joho"));
    CHECK_FALSE(is_uci_command(""));
}
