#include "uci/uci_parser.hpp"

#include "tests/catch.hpp"

using namespace uci;
using engine::Limits;
using engine::Milliseconds;

namespace {

constexpr std::int64_t largest = 1'000'000'000'000'000;

ParsedCommand read(std::string_view line) {
    return parse_command(line, engine::TimePoint{});
}

Limits limits_of(const ParsedCommand& parsed) {
    REQUIRE(std::holds_alternative<engine::Go>(parsed.command));
    return std::get<engine::Go>(parsed.command).limits;
}

/// The limits of a line that there is nothing to warn about.
Limits limits_of(std::string_view line) {
    const auto parsed = read(line);
    CAPTURE(line);
    CHECK(parsed.warnings.empty());
    return limits_of(parsed);
}

/// The limits in words, those that are not set left out.
std::string described(const Limits& limits) {
    std::string text;
    const auto add = [&](const char* name, const auto& value) {
        if (value)
            text += std::string{name} + "=" + std::to_string(*value) + " ";
    };
    const auto add_time = [&](const char* name, const std::optional<Milliseconds>& value) {
        if (value)
            text += std::string{name} + "=" + std::to_string(value->count()) + " ";
    };
    add_time("wtime", limits.clocks[0].time);
    add_time("btime", limits.clocks[1].time);
    if (limits.clocks[0].increment.count() != 0)
        add_time("winc", limits.clocks[0].increment);
    if (limits.clocks[1].increment.count() != 0)
        add_time("binc", limits.clocks[1].increment);
    add("movestogo", limits.movestogo);
    add_time("movetime", limits.movetime);
    add("depth", limits.depth);
    add("nodes", limits.nodes);
    add("mate", limits.mate);
    text += limits.infinite ? "infinite " : "";
    text += limits.ponder ? "ponder " : "";
    for (const auto& move : limits.searchmoves)
        text += move + " ";
    return text;
}

}  // namespace

TEST_CASE("go without words has no limits", "[uci_parser]") {
    CHECK(described(limits_of("go")).empty());
    CHECK(described(limits_of("  go \r")).empty());
}

TEST_CASE("each parameter of go sets its limit", "[uci_parser]") {
    const auto [line, limits] = GENERATE(table<const char*, const char*>({
        {"go wtime 1000", "wtime=1000 "},
        {"go btime 2000", "btime=2000 "},
        {"go winc 10", "winc=10 "},
        {"go binc 20", "binc=20 "},
        {"go movestogo 40", "movestogo=40 "},
        {"go movetime 100", "movetime=100 "},
        {"go depth 7", "depth=7 "},
        {"go nodes 12345678901", "nodes=12345678901 "},
        {"go mate 3", "mate=3 "},
        {"go infinite", "infinite "},
        {"go ponder", "ponder "},
        {"go searchmoves e2e4 d2d4", "e2e4 d2d4 "},
        {"go wtime 1 btime 2 winc 3 binc 4 movestogo 5",
         "wtime=1 btime=2 winc=3 binc=4 movestogo=5 "},
        {"go movestogo 5 binc 4 btime 2 ponder winc 3 wtime 1",
         "wtime=1 btime=2 winc=3 binc=4 movestogo=5 ponder "},
        {"go nodes 5 infinite depth 3 mate 2 movetime 9",
         "movetime=9 depth=3 nodes=5 mate=2 infinite "},
        {"\tgo \t depth\t 7 \r", "depth=7 "},
        {"go depth 3 depth 5", "depth=5 "},
    }));
    CAPTURE(line);
    CHECK(described(limits_of(line)) == limits);
}

TEST_CASE("searchmoves may stand anywhere", "[uci_parser]") {
    const auto line = GENERATE("go searchmoves e2e4 d2d4 depth 5 nodes 9",
                               "go depth 5 searchmoves e2e4 d2d4 nodes 9",
                               "go depth 5 nodes 9 searchmoves e2e4 d2d4",
                               "go searchmoves e2e4 depth 5 searchmoves d2d4 nodes 9");
    CHECK(described(limits_of(line)) == "depth=5 nodes=9 e2e4 d2d4 ");
    CHECK(described(limits_of("go searchmoves")).empty());
    CHECK(described(limits_of("go searchmoves infinite")) == "infinite ");
    CHECK(described(limits_of("go searchmoves Nf3 O-O e7e8q")) == "Nf3 O-O e7e8q ");
}

TEST_CASE("a search counts from the arrival of its line", "[uci_parser]") {
    const auto arrival = engine::TimePoint{} + Milliseconds{12'345};
    const auto parsed = parse_command("go depth 3", arrival);
    CHECK(std::get<engine::Go>(parsed.command).limits.arrival == arrival);
}

TEST_CASE("numbers of every size are parsed", "[uci_parser]") {
    const auto [text, value] = GENERATE(table<const char*, std::int64_t>({
        {"0", 0},
        {"-1", -1},
        {"+5", 5},
        {"007", 7},
        {"-100000", -100'000},
        {"1500.75", 1'500},
        {"1500.", 1'500},
        {"-3.9", -3},
        {"2147483648", 2'147'483'648},
        {"1000000000000001", largest},
        {"9223372036854775807", largest},
        {"9223372036854775808", largest},
        {"99999999999999999999999999", largest},
        {"-9223372036854775808", -largest},
    }));
    const std::string name = GENERATE("wtime", "movetime");
    CAPTURE(name, text);
    const auto limits = limits_of("go " + name + " " + text);
    CHECK((name == "wtime" ? limits.clocks[0].time : limits.movetime) == Milliseconds{value});
}

TEST_CASE("a number below the range becomes the smallest", "[uci_parser]") {
    CHECK(limits_of("go wtime -99999999999999999999999").clocks[0].time == Milliseconds{-largest});
    CHECK(limits_of("go wtime +99999999999999999999999").clocks[0].time == Milliseconds{largest});
}

TEST_CASE("counts are clamped to a sensible range", "[uci_parser]") {
    const auto [line, limits] = GENERATE(table<const char*, const char*>({
        {"go depth 0", "depth=1 "},
        {"go depth -4", "depth=1 "},
        {"go depth 99999999999999999999", "depth=1000000 "},
        {"go depth 3000000000", "depth=1000000 "},
        {"go mate 0", "mate=1 "},
        {"go mate -2", "mate=1 "},
        {"go mate 3000000000", "mate=1000000 "},
        {"go movestogo 0", "movestogo=0 "},
        {"go movestogo -5", "movestogo=0 "},
        {"go movestogo 3000000000", "movestogo=1000000 "},
        {"go nodes 0", "nodes=0 "},
        {"go nodes -7", "nodes=0 "},
        {"go nodes 99999999999999999999", "nodes=1000000000000000 "},
    }));
    CAPTURE(line);
    CHECK(described(limits_of(line)) == limits);
}

TEST_CASE("a parameter without its number is left out, and the others hold", "[uci_parser]") {
    const auto [line, limits, name] = GENERATE(table<const char*, const char*, const char*>({
        {"go depth", "", "depth"},
        {"go wtime 1000 btime", "wtime=1000 ", "btime"},
        {"go depth nodes 100", "nodes=100 ", "depth"},
        {"go movetime infinite", "infinite ", "movetime"},
        {"go mate searchmoves e2e4", "e2e4 ", "mate"},
        {"go wtime btime 5", "btime=5 ", "wtime"},
    }));
    CAPTURE(line);
    const auto parsed = read(line);
    CHECK(described(limits_of(parsed)) == limits);
    REQUIRE(parsed.warnings.size() == 1);
    CHECK(parsed.warnings[0] == std::string{"go: "} + name + " needs a number");
}

TEST_CASE("a value that is not a number is left out, and the others hold", "[uci_parser]") {
    const std::string value =
        GENERATE("abc", "12x", "0x10", "1e5", ".5", "--5", "-", "+", "1,000", "1.2.3", "5.x");
    CAPTURE(value);
    const auto parsed = read("go nodes 7 depth " + value + " mate 2");
    CHECK(described(limits_of(parsed)) == "nodes=7 mate=2 ");
    REQUIRE(parsed.warnings.size() == 1);
    CHECK(parsed.warnings[0] == "go: depth must be an integer, not '" + value + "'");
}

TEST_CASE("an unknown parameter is left out, and the others hold", "[uci_parser]") {
    const auto parsed = read("go quickly depth 5 please");
    CHECK(described(limits_of(parsed)) == "depth=5 ");
    REQUIRE(parsed.warnings.size() == 1);
    CHECK(parsed.warnings[0] == "go: 'quickly' is not a parameter of go");
    CHECK(read("go Depth 5").warnings.size() == 1);
}

TEST_CASE("each fault gives a warning", "[uci_parser]") {
    CHECK(read("go depth x nodes y movetime bla blub").warnings.size() == 4);
}

TEST_CASE("perft is a search of its own", "[uci_parser]") {
    const auto [line, depth] = GENERATE(table<const char*, int>({
        {"go perft 5", 5},
        {"go perft 1", 1},
        {"go perft 0", 1},
        {"go perft -3", 1},
        {"go perft 31", 30},
        {"go perft 99999999999999999999", 30},
        {"go perft 4 depth 3", 4},
    }));
    CAPTURE(line);
    const auto parsed = read(line);
    REQUIRE(std::holds_alternative<engine::Perft>(parsed.command));
    CHECK(std::get<engine::Perft>(parsed.command).depth == depth);
}

TEST_CASE("perft without a depth does not become an infinite search", "[uci_parser]") {
    const auto line = GENERATE("go perft", "go perft x");
    const auto parsed = read(line);
    CHECK(std::holds_alternative<Empty>(parsed.command));
    CHECK(parsed.warnings.size() == 1);
}
