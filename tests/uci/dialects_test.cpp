#include "uci/dialects.hpp"

#include <set>

#include "tests/catch.hpp"

using uci::detect_dialect;

TEST_CASE("a first line that begins with a brace is JSON", "[dialects]") {
    const auto* const line =
        GENERATE("{", "{}", R"({"message_type":"new_game"})", "  \t{ x", "{\r");
    CHECK(detect_dialect(line).name == "json");
}

TEST_CASE("a first line that is a ChenServer command is ChenServer", "[dialects]") {
    const auto* const line = GENERATE("new", "status", " legal pgn\r", "move e2e4", "think 100",
                                      "undo 1", "test e4", "history", "exit", "game a new",
                                      "hint 5", "setup start", "pgn", "evaluate", "halt");
    CHECK(detect_dialect(line).name == "chenserver");
}

TEST_CASE("a first line that is xboard is xboard's protocol", "[dialects]") {
    const auto* const line = GENERATE("xboard", " xboard\r", "xboard 2");
    CHECK(detect_dialect(line).name == "xboard");
}

TEST_CASE("any other first line is UCI", "[dialects]") {
    const auto* const line = GENERATE("", " ", "uci", "isready", "go depth 3 {", "[]", "\"{\"",
                                      "\xEF\xBB\xBF{}", "nonsense", "position startpos");
    CHECK(detect_dialect(line).name == "uci");
}

TEST_CASE("every dialect has a name of its own and a summary", "[dialects]") {
    std::set<std::string_view> names;
    for (const auto* dialect : uci::all_dialects()) {
        CHECK(names.insert(dialect->name).second);
        CHECK_FALSE(dialect->summary.empty());
    }
}
