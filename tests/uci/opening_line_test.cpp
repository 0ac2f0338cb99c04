#include "uci/opening_line.hpp"

#include <deque>
#include <vector>

#include "tests/catch.hpp"

using uci::DialectName;
using Lines = std::vector<std::string>;

namespace {

class Script : public uci::Transport {
public:
    explicit Script(const Lines& lines) : lines_(lines.begin(), lines.end()) {}

    std::optional<std::string> read_line() override {
        if (lines_.empty())
            return std::nullopt;
        auto line = lines_.front();
        lines_.pop_front();
        return line;
    }
    void write_line(std::string_view line) override { heard.emplace_back(line); }

    Lines heard;

private:
    std::deque<std::string> lines_;
};

}  // namespace

TEST_CASE("a brace begins JSON messages", "[opening]") {
    const auto* const line =
        GENERATE("{", "{}", R"({"message_type":"new_game"})", "  \t{ x", "{\r");
    CHECK(uci::dialect_for(line) == DialectName::json);
}

TEST_CASE("a command of ChenServer's begins ChenServer", "[opening]") {
    const auto* const line = GENERATE("new", "status", " legal pgn\r", "move e2e4", "think 100",
                                      "undo 1", "test e4", "history", "exit", "game a new",
                                      "hint 5", "setup start", "pgn", "evaluate", "halt");
    CHECK(uci::dialect_for(line) == DialectName::chenserver);
}

TEST_CASE("everything else begins UCI", "[opening]") {
    const auto* const line = GENERATE("", " ", "uci", "isready", "go depth 3 {", "[]", "\"{\"",
                                      "\xEF\xBB\xBF{}", "nonsense", "position startpos");
    CHECK(uci::dialect_for(line) == DialectName::uci);
}

TEST_CASE("the opening line is seen, and then read like the others", "[opening]") {
    Script script{{"", " \t\r", "uci", "", "isready"}};
    uci::OpeningLine opening{script};
    CHECK(opening.text() == "uci");
    CHECK(opening.read_line() == "uci");
    CHECK(opening.read_line() == "");
    CHECK(opening.read_line() == "isready");
    CHECK(opening.read_line() == std::nullopt);
    opening.write_line("readyok");
    CHECK(script.heard == Lines{"readyok"});
}

TEST_CASE("who leaves without a word has no opening line", "[opening]") {
    const auto lines = GENERATE(Lines{}, Lines{"", "   "});
    Script script{lines};
    uci::OpeningLine opening{script};
    CHECK(opening.text().empty());
    CHECK(opening.read_line() == std::nullopt);
}
