#include "uci/json_dialect.hpp"

#include <deque>
#include <vector>

#include "tests/uci/json/client.hpp"

using namespace tests;
using Lines = std::vector<std::string>;

namespace {

/// A client who says everything at once and then leaves; read and written to by one thread each.
class Script : public uci::Transport {
public:
    explicit Script(const Lines& lines) : lines_(lines.begin(), lines.end()) {}

    std::optional<std::string> read_line() override {
        if (lines_.empty())
            return std::nullopt;
        auto line = std::move(lines_.front());
        lines_.pop_front();
        return line;
    }
    void write_line(std::string_view line) override { heard_.emplace_back(line); }

    const Lines& heard() const { return heard_; }

private:
    std::deque<std::string> lines_;
    Lines heard_;
};

Lines heard_after(const Lines& lines) {
    engine::GeneralInterface engine;
    Script script{lines};
    uci::JsonDialect{engine}.run(script);
    return script.heard();
}

std::string type_of(const std::string& message) {
    return Json::parse(message).at("message_type");
}

}  // namespace

TEST_CASE("without a message there is no answer", "[json]") {
    CHECK(heard_after({}).empty());
}

TEST_CASE("every line has its answer, blank ones too", "[json]") {
    const auto heard =
        heard_after({"", move_request("E2", "E4"), " ", move_request("E7", "E5") + "\r"});
    REQUIRE(heard.size() == 4);
    CHECK(heard[0] == failure);
    CHECK(type_of(heard[1]) == "next_legal_moveset");
    CHECK(heard[2] == failure);
    CHECK(type_of(heard[3]) == "next_legal_moveset");
}

TEST_CASE("a line that is too long is one failure", "[json]") {
    const auto line = request("new_game");
    const auto fill = [&](std::size_t size) { return line + std::string(size - line.size(), ' '); };
    const auto heard = heard_after({fill(4096), fill(4096) + "\r", fill(4097), fill(5'000'000)});
    REQUIRE(heard.size() == 4);
    CHECK(type_of(heard[0]) == "next_legal_moveset");
    CHECK(type_of(heard[1]) == "next_legal_moveset");
    CHECK(heard[2] == failure);
    CHECK(heard[3] == failure);
}

TEST_CASE("what comes while the engine thinks waits for its move", "[json]") {
    const auto heard = heard_after(
        {request("new_game"), R"({"message_type":"engine_move","milliseconds":30})",
         request("get_legal_moveset"), "nonsense", R"({"message_type":"hint","depth":4})",
         R"({"message_type":"engine_move","nodes":2000})"});
    REQUIRE(heard.size() == 8);
    CHECK(type_of(heard[1]) == "engine_move");
    CHECK(heard[2] == heard[3]);
    CHECK(heard[4] == failure);
    CHECK(type_of(heard[5]) == "hint");
    CHECK(type_of(heard[6]) == "engine_move");
    CHECK(type_of(heard[7]) == "next_legal_moveset");
}

TEST_CASE("many lines are all answered in order", "[json]") {
    const auto move = move_request("G1", "F3");
    const auto restart = request("new_game");
    Lines lines;
    for (int i = 0; i < 2'000; ++i) {
        lines.insert(lines.end(), {move, move, restart});
        if (i % 20 == 0)
            lines.emplace_back(R"({"message_type":"hint","nodes":50})");
    }
    const auto heard = heard_after(lines);
    REQUIRE(heard.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto type = type_of(heard[i]);
        const bool hint = lines[i].find("hint") != std::string::npos;
        const bool second = i > 0 && lines[i] == lines[i - 1];
        REQUIRE(type == (hint ? "hint" : second ? "failure" : "next_legal_moveset"));
    }
}

TEST_CASE("a game against itself comes to its end", "[json]") {
    Lines lines{R"({"message_type":"new_game","fen":"7k/8/5K2/8/8/8/8/R7 w - - 0 1"})"};
    for (int i = 0; i < 40; ++i)
        lines.emplace_back(R"({"message_type":"engine_move","depth":6})");
    const auto heard = heard_after(lines);
    CHECK(heard.back() == failure);
    const auto is_end = [](const std::string& message) { return type_of(message) == "game_end"; };
    const auto end = std::find_if(heard.begin(), heard.end(), is_end);
    REQUIRE(end != heard.end());
    CHECK(*end == R"({"message_type":"game_end","victor":"white","reason":"checkmate"})");
}
