#include <array>
#include <fstream>

#include "tests/engine/random_positions.hpp"
#include "tests/fuzz/json_conversation.hpp"
#include "tests/test_data.hpp"
#include "tests/uci/json/client.hpp"

using tests::Dice;

namespace {

/// The requests of the recorded conversations, and those that extend the interface.
std::vector<std::string> valid_lines() {
    std::vector<std::string> lines{
        R"({"message_type":"engine_move","depth":1})", R"({"message_type":"hint","nodes":100})",
        R"({"message_type":"tablebase"})", R"({"message_type":"timeout","player":"white"})"};
    std::ifstream file{tests::data_path("json/golden.jsonl")};
    std::string line;
    while (std::getline(file, line)) {
        const auto scenario = tests::Json::parse(line);
        for (const auto& step : scenario.at("steps"))
            lines.push_back(step.at("in"));
    }
    return lines;
}

std::string random_part(const std::string& text, Dice& dice) {
    const auto from = dice.roll(text.size() + 1);
    return text.substr(from, dice.roll(text.size() - from + 1));
}

/// The line with up to three random changes.
std::string corrupted(std::string line, const std::vector<std::string>& others, Dice& dice) {
    constexpr std::array<std::string_view, 12> bits{"\"", "{",  "}",    "[",       ":",    ",",
                                                    "0",  "\\", "\xFF", "\"fen\"", "null", "1e9"};
    for (auto changes = dice.roll(4); changes > 0; --changes) {
        const auto at = dice.roll(line.size() + 1);
        switch (dice.roll(4)) {
            case 0: line.insert(at, bits[dice.roll(bits.size())]); break;
            case 1: line.erase(at, dice.roll(6)); break;
            case 2: line.insert(at, 1, static_cast<char>(dice.roll(256))); break;
            default: line.insert(at, random_part(others[dice.roll(others.size())], dice)); break;
        }
    }
    return line;
}

}  // namespace

TEST_CASE("corrupted messages do no harm, and valid ones between them are answered", "[json]") {
    const auto lines = valid_lines();
    REQUIRE(lines.size() > 60);
    Dice dice{5};
    for (int i = 0; i < 1'000; ++i) {
        std::string lines_sent;
        for (int j = 0; j < 30; ++j) {
            const auto& line = lines[dice.roll(lines.size())];
            lines_sent += (dice.one_in(2) ? line : corrupted(line, lines, dice)) + "\n";
        }
        const auto fault = tests::fault_in_json_conversation(lines_sent);
        CAPTURE(lines_sent);
        REQUIRE(fault.value_or("fine") == "fine");
    }
}
