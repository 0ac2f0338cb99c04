#include "uci/json/dialect.hpp"

#include <deque>
#include <vector>

#include "tests/uci/json/client.hpp"

using namespace tests;
using Lines = std::vector<std::string>;

namespace {

/// Sends its lines at once and then ends the input. One thread reads, another writes.
class FakeTransport : public uci::transport::Transport {
public:
    explicit FakeTransport(const Lines& lines) : lines_(lines.begin(), lines.end()) {}

    std::optional<std::string> read_line() override {
        if (lines_.empty())
            return std::nullopt;
        auto line = std::move(lines_.front());
        lines_.pop_front();
        return line;
    }
    void write_line(std::string_view line) override { written_.emplace_back(line); }

    const Lines& written() const { return written_; }

private:
    std::deque<std::string> lines_;
    Lines written_;
};

Lines answers_to(const Lines& lines) {
    engine::GeneralInterface engine;
    FakeTransport transport{lines};
    uci::json::JsonDialect{engine}.run(transport);
    return transport.written();
}

std::string type_of(const std::string& message) {
    return Json::parse(message).at("message_type");
}

}  // namespace

TEST_CASE("no input gives no output", "[json]") {
    CHECK(answers_to({}).empty());
}

TEST_CASE("every line is answered, blank lines with a failure", "[json]") {
    const auto answers =
        answers_to({"", move_request("E2", "E4"), " ", move_request("E7", "E5") + "\r"});
    REQUIRE(answers.size() == 4);
    CHECK(answers[0] == failure);
    CHECK(type_of(answers[1]) == "next_legal_moveset");
    CHECK(answers[2] == failure);
    CHECK(type_of(answers[3]) == "next_legal_moveset");
}

TEST_CASE("a line that is too long gives one failure", "[json]") {
    const auto line = request("new_game");
    const auto fill = [&](std::size_t size) { return line + std::string(size - line.size(), ' '); };
    const auto answers =
        answers_to({fill(16'384), fill(16'384) + "\r", fill(16'385), fill(5'000'000)});
    REQUIRE(answers.size() == 4);
    CHECK(type_of(answers[0]) == "next_legal_moveset");
    CHECK(type_of(answers[1]) == "next_legal_moveset");
    CHECK(answers[2] == failure);
    CHECK(answers[3] == failure);
}

TEST_CASE("lines that arrive during a search are answered after it", "[json]") {
    const auto answers = answers_to(
        {request("new_game"), R"({"message_type":"engine_move","milliseconds":30})",
         request("get_legal_moveset"), "nonsense", R"({"message_type":"hint","depth":4})",
         R"({"message_type":"engine_move","nodes":2000})"});
    REQUIRE(answers.size() == 8);
    CHECK(type_of(answers[1]) == "engine_move");
    CHECK(answers[2] == answers[3]);
    CHECK(answers[4] == failure);
    CHECK(type_of(answers[5]) == "hint");
    CHECK(type_of(answers[6]) == "engine_move");
    CHECK(type_of(answers[7]) == "next_legal_moveset");
}

TEST_CASE("thousands of lines are answered in order", "[json]") {
    const auto move = move_request("G1", "F3");
    const auto restart = request("new_game");
    Lines lines;
    for (int i = 0; i < 2'000; ++i) {
        lines.insert(lines.end(), {move, move, restart});
        if (i % 20 == 0)
            lines.emplace_back(R"({"message_type":"hint","nodes":50})");
    }
    const auto answers = answers_to(lines);
    REQUIRE(answers.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto type = type_of(answers[i]);
        const bool hint = lines[i].find("hint") != std::string::npos;
        const bool second = i > 0 && lines[i] == lines[i - 1];
        REQUIRE(type == (hint ? "hint" : second ? "failure" : "next_legal_moveset"));
    }
}

TEST_CASE("engine moves lead to checkmate, and then to failures", "[json]") {
    Lines lines{R"({"message_type":"new_game","fen":"7k/8/5K2/8/8/8/8/R7 w - - 0 1"})"};
    for (int i = 0; i < 40; ++i)
        lines.emplace_back(R"({"message_type":"engine_move","depth":6})");
    const auto answers = answers_to(lines);
    CHECK(answers.back() == failure);
    const auto is_end = [](const std::string& message) { return type_of(message) == "game_end"; };
    const auto end = std::find_if(answers.begin(), answers.end(), is_end);
    REQUIRE(end != answers.end());
    CHECK(*end == R"({"message_type":"game_end","victor":"white","reason":"checkmate"})");
}

TEST_CASE("an explanation is answered before the lines behind it", "[json]") {
    const auto answers =
        answers_to({move_request("E2", "E4"), move_request("E7", "E5"), move_request("D1", "H5"),
                    R"({"message_type":"explain","from":"G7","to":"G6"})",
                    request("get_legal_moveset"), R"({"message_type":"explain","ply":2})"});
    REQUIRE(answers.size() == 6);
    const auto bad = Json::parse(answers[3]);
    CHECK(bad.at("message_type") == "explanation");
    CHECK(bad.at("verdict") == "worse");
    CHECK(bad.at("chance") < bad.at("better").at("chance"));
    CHECK(type_of(answers[4]) == "next_legal_moveset");
    CHECK(type_of(answers[5]) == "explanation");
}
