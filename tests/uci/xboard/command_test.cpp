#include "uci/xboard/command.hpp"

#include <set>

#include "engine/options.hpp"

#include "uci/xboard/option.hpp"

#include "tests/catch.hpp"

using namespace uci::xboard;
using engine::Milliseconds;

namespace {

template <typename Kind>
Kind parsed(std::string_view line) {
    CAPTURE(line);
    const auto command = parse_command(line);
    REQUIRE(command);
    REQUIRE(std::holds_alternative<Kind>(*command));
    return *std::get_if<Kind>(&*command);
}

std::string refusal(std::string_view line) {
    CAPTURE(line);
    const auto command = parse_command(line);
    REQUIRE_FALSE(command);
    return command.reason();
}

}  // namespace

TEST_CASE("a level is moves, minutes or minutes and seconds, and an increment", "[xboard]") {
    const auto [line, moves, base, increment] =
        GENERATE(table<std::string, int, int, int>({{"level 40 5 0", 40, 300'000, 0},
                                                    {"level 0 0:20 0.5", 0, 20'000, 500},
                                                    {"level 0 1:30 12", 0, 90'000, 12'000},
                                                    {"level 0 0.05 0.125", 0, 3'000, 125},
                                                    {"level 0 99999999999999999999 0", 0, 0, 0}}));
    const auto level = parsed<Level>(line);
    CHECK(level.moves == moves);
    if (base > 0)
        CHECK(level.base == Milliseconds{base});
    CHECK(level.base.count() >= 0);
    CHECK(level.increment == Milliseconds{increment});
}

TEST_CASE("clocks are read in centiseconds", "[xboard]") {
    CHECK(parsed<ClockTime>("time 1234").time == Milliseconds{12'340});
    CHECK(parsed<ClockTime>("time 1234").own);
    CHECK_FALSE(parsed<ClockTime>("otim 0").own);
    CHECK(parsed<ClockTime>("time -5").time == Milliseconds{-50});
    CHECK(parsed<MoveTime>("st 5").time == Milliseconds{5'000});
    CHECK(parsed<MoveTime>("st 0.25").time == Milliseconds{250});
}

TEST_CASE("a move is recognised with and without usermove", "[xboard]") {
    const auto* const move =
        GENERATE("e2e4", "e7e8q", "O-O", "0-0-0", "Nf3", "exd5", "Nb1xd2+!?", "@@@@", "e2e5");
    CHECK(parsed<UserMove>(move).move == move);
    CHECK(parsed<UserMove>(std::string{"usermove "} + move).move == move);
    CHECK(parsed<UserMove>("usermove nonsense").move == "nonsense");
}

TEST_CASE("memory, cores and tables become the engine's options", "[xboard]") {
    CHECK(parsed<SetEngineOption>("memory 64").name == "Hash");
    CHECK(parsed<SetEngineOption>("cores 4").value == "4");
    const auto tables = parsed<SetEngineOption>("egtpath syzygy /some folder/tables");
    CHECK(tables.name == "SyzygyPath");
    CHECK(tables.value == "/some folder/tables");
}

TEST_CASE("option names may have blanks and values may have equals signs", "[xboard]") {
    const auto option = parsed<SetEngineOption>("option Book File=/a=b.bin");
    CHECK(option.name == "Book File");
    CHECK(option.value == "/a=b.bin");
    CHECK(parsed<SetEngineOption>("option OwnBook=1").value == "true");
    CHECK(parsed<SetEngineOption>("option OwnBook=0").value == "false");
    CHECK(parsed<SetEngineOption>("option OwnBook=2").value == "2");
    CHECK(parsed<SetEngineOption>("option Clear Hash").value.empty());
    CHECK(refusal("option Hash=3") == "unknown option");
    CHECK(refusal("option") == "unknown option");
}

TEST_CASE("every line without a meaning is refused with its kind", "[xboard]") {
    const auto [line, kind] = GENERATE(table<std::string, std::string>(
        {{"foo", "unknown command"},
         {"NEW", "unknown command"},
         {"edit", "unknown command"},
         {"pause", "unknown command"},
         {"e2", "illegal"},
         {"new game", "too many parameters"},
         {"ping", "number expected"},
         {"ping one", "number expected"},
         {"ping 1 2", "too many parameters"},
         {"st soon", "number expected"},
         {"st -1", "number expected"},
         {"st .", "number expected"},
         {"sd 0", "number expected"},
         {"time", "number expected"},
         {"usermove", "move expected"},
         {"usermove e2e4 e7e5", "too many parameters"},
         {"level", "level needs moves, minutes and seconds"},
         {"level -1 5 0", "level needs moves, minutes and seconds"},
         {"level 40 5:x 0", "level needs moves, minutes and seconds"},
         {"level 40 5 -1", "level needs moves, minutes and seconds"},
         {"variant atomic", "unknown variant"},
         {"egtpath nalimov /tables", "unknown kind of tables"}}));
    if (kind == "illegal")
        CHECK(parsed<UserMove>(line).move == line);
    else
        CHECK(refusal(line) == kind);
}

TEST_CASE("blank lines and what concerns other engines are ignored", "[xboard]") {
    const auto* const line =
        GENERATE("", "  ", "\r", "xboard", "random", "computer", "name A B", "rating 1500 1600",
                 "ics -", "rejected setscore", "accepted ping", "partner", "holding [P] []");
    CHECK_NOTHROW(parsed<Ignored>(line));
}

TEST_CASE("every option is declared once, as its kind", "[xboard]") {
    const auto declarations = option_declarations();
    std::set<std::string> names;
    for (const auto& declaration : declarations) {
        const auto end = declaration.find(" -");
        REQUIRE(end != std::string::npos);
        const auto name = declaration.substr(0, end);
        CHECK(names.insert(name).second);
        CHECK(find_option(name));
        CHECK(declaration.find('"') == std::string::npos);
    }
    CHECK(names.contains("MultiPV"));
    CHECK_FALSE(names.contains("Hash"));
    const auto has = [&](const std::string& text) {
        return std::find(declarations.begin(), declarations.end(), text) != declarations.end();
    };
    CHECK(has("MultiPV -spin 1 1 256"));
    CHECK(has("OwnBook -check 0"));
    CHECK(has("Clear Hash -button"));
    CHECK(has("Book Variety -combo best /// *weighted /// even"));
    CHECK(has("Book File -file "));
}
