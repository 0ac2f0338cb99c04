#include "uci/uci_text.hpp"

#include "tests/catch.hpp"

using namespace uci::uci_text;

namespace {

Reading read(std::string_view line) {
    return read_command(line, engine::TimePoint{});
}

/// Whether a line is read as a command of that kind, without a complaint.
template <typename Kind>
bool reads_as(std::string_view line) {
    const auto reading = read(line);
    return std::holds_alternative<Kind>(reading.command) && reading.complaints.empty();
}

/// The one complaint about a line that asks for nothing.
std::string complaint_about(std::string_view line) {
    const auto reading = read(line);
    CAPTURE(line);
    CHECK(std::holds_alternative<Nothing>(reading.command));
    REQUIRE(reading.complaints.size() == 1);
    return reading.complaints.front();
}

bool begins_with(const std::string& text, std::string_view start) {
    return text.compare(0, start.size(), start) == 0;
}

}  // namespace

TEST_CASE("every command is known by its word", "[read_command]") {
    CHECK(reads_as<Hello>("uci"));
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
    CHECK(reads_as<Show>("d"));
    CHECK(reads_as<Show>("eval"));
    CHECK(reads_as<Show>("fen"));
    CHECK(reads_as<Help>("help"));
}

TEST_CASE("registering is not needed and not complained about", "[read_command]") {
    CHECK(reads_as<Nothing>("register later"));
    CHECK(reads_as<Nothing>("register name Stefan MK code 4359874324"));
}

TEST_CASE("blanks of every kind around and between words do not matter", "[read_command]") {
    const auto line = GENERATE("isready", " isready", "isready ", "\tisready\t", "isready\r",
                               "\r\n isready \r\n", "\v\fisready");
    CHECK(reads_as<IsReady>(line));
    CHECK(reads_as<IsReady>(std::string_view{"\0isready\0", 9}));
    CHECK(reads_as<engine::SetGame>("  position \t startpos\t\tmoves  e2e4\r"));
}

TEST_CASE("an empty line asks for nothing", "[read_command]") {
    const auto line = GENERATE("", " ", "\t", "\r", " \t \r\n");
    CHECK(reads_as<Nothing>(line));
    CHECK(reads_as<Nothing>(std::string_view{"\0\0", 2}));
}

TEST_CASE("words before the first known command are skipped", "[read_command]") {
    CHECK(reads_as<IsReady>("joho isready"));
    CHECK(reads_as<IsReady>("one two three isready"));
    const auto reading = read("joho debug on");
    REQUIRE(std::holds_alternative<Debug>(reading.command));
    CHECK(std::get<Debug>(reading.command).on);
    CHECK(reads_as<engine::Quit>("\x01\x02 quit"));
}

TEST_CASE("a line without a known command is complained about", "[read_command]") {
    CHECK(complaint_about("joho") == "unknown command 'joho'; help lists the commands");
    CHECK(complaint_about("ISREADY") == "unknown command 'ISREADY'; help lists the commands");
    CHECK(complaint_about("isready?") == "unknown command 'isready?'; help lists the commands");
    CHECK(complaint_about("one two") == "unknown command 'one'; help lists the commands");
}

TEST_CASE("a complaint is a short line of plain letters, whatever it is about", "[read_command]") {
    const std::string strange = "\xff\xfe\x80\x1b[31m";
    const auto line = GENERATE_COPY(
        as<std::string>{}, strange, std::string(1'000'000, 'x'), "position " + strange + " moves",
        "position " + std::string(100'000, 'y'), "go depth " + std::string(100'000, 'z'),
        "go " + std::string(100'000, 'z'), "setoption " + strange, "debug " + strange,
        "bench " + std::string(100'000, '7'));
    const auto reading = read(line);
    for (const auto& complaint : reading.complaints) {
        CHECK(complaint.size() < 250);
        for (const char letter : complaint)
            CHECK((letter >= ' ' && letter <= '~'));
    }
    CHECK_FALSE(reading.complaints.empty());
}

TEST_CASE("debug goes on and off", "[read_command]") {
    CHECK(std::get<Debug>(read("debug on").command).on);
    CHECK_FALSE(std::get<Debug>(read(" debug  off ").command).on);
    const auto line = GENERATE("debug", "debug yes", "debug ON", "debug 1");
    CHECK(complaint_about(line) == "debug is followed by on or off");
}

TEST_CASE("what is to be shown is named", "[read_command]") {
    const auto what = GENERATE("d", "eval", "fen");
    CHECK(std::get<Show>(read(what).command).what == what);
}

TEST_CASE("bench may have a depth", "[read_command]") {
    CHECK_FALSE(std::get<engine::Bench>(read("bench").command).depth);
    CHECK(std::get<engine::Bench>(read("bench 1").command).depth == 1);
    CHECK(std::get<engine::Bench>(read(" bench  60 ").command).depth == 60);
    const auto line = GENERATE("bench 0", "bench 61", "bench -3", "bench x", "bench 5.5",
                               "bench 99999999999999999999");
    CHECK(begins_with(complaint_about(line), "bench is followed by a depth from 1 to 60"));
}

TEST_CASE("an option has a name and a value, which may hold blanks", "[read_command]") {
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
    const auto reading = read(line);
    REQUIRE(std::holds_alternative<engine::SetOption>(reading.command));
    CHECK(reading.complaints.empty());
    CHECK(std::get<engine::SetOption>(reading.command).name == name);
    CHECK(std::get<engine::SetOption>(reading.command).value == value);
}

TEST_CASE("an option without a name is complained about", "[read_command]") {
    const auto line = GENERATE("setoption", "setoption Hash value 32", "setoption name",
                               "setoption name value 32", "setoption value 32");
    CHECK(begins_with(complaint_about(line), "setoption refused: "));
}

TEST_CASE("a position is the start or a FEN, and moves", "[read_command]") {
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
    const auto reading = read(line);
    REQUIRE(std::holds_alternative<engine::SetGame>(reading.command));
    CHECK(reading.complaints.empty());
    const auto& game = std::get<engine::SetGame>(reading.command);
    CHECK(game.fen == fen);
    CHECK(game.moves == moves);
}

TEST_CASE("what begins like no position is complained about", "[read_command]") {
    CHECK(complaint_about("position") == "position refused: it begins with startpos or fen");
    CHECK(complaint_about("position moves e2e4")
          == "position refused: it begins with startpos or fen, not with 'moves'");
    CHECK(complaint_about("position 4k3/8/8/8/8/8/8/4K3 w - - 0 1")
          == "position refused: it begins with startpos or fen, not with '4k3/8/8/8/8/8/8/4K3'");
    CHECK(complaint_about("position startpos e2e4")
          == "position refused: after startpos comes moves, not 'e2e4'");
}

TEST_CASE("a position of very many moves is read", "[read_command]") {
    std::string line = "position startpos moves";
    for (int i = 0; i < 100'000; ++i)
        line += " g1f3";
    CHECK(std::get<engine::SetGame>(read(line).command).moves.size() == 100'000);
}
