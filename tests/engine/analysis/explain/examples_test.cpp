#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/fen.hpp"
#include "core/game.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "engine/analysis/explain/explainer.hpp"

#include "tests/catch.hpp"
#include "tests/test_data.hpp"

using namespace engine;
using namespace engine::explain;

namespace {

/// A line of the data: "FEN [moves MOVE...]; MOVE; CLAIM".
struct Example {
    std::string position;
    std::string move;
    std::string claim;
};

std::vector<Example> read_examples() {
    std::ifstream file{tests::data_path("explain/examples.txt")};
    REQUIRE(file);
    std::vector<Example> examples;
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find("; ");
        const auto second = line.find("; ", first + 1);
        if (line.empty() || line.front() == '#' || second == std::string::npos)
            continue;
        examples.push_back({line.substr(0, first), line.substr(first + 2, second - first - 2),
                            line.substr(second + 2)});
    }
    return examples;
}

core::Game game_of(std::string_view text) {
    constexpr std::string_view separator = " moves ";
    const auto moves = text.find(separator);
    const auto position = core::read_fen(text.substr(0, moves));
    REQUIRE(position);
    core::Game game{*position};
    if (moves != std::string_view::npos) {
        core::Words words{text.substr(moves + separator.size())};
        while (const auto word = words.next()) {
            const auto move = core::read_move(game.position(), *word);
            REQUIRE(move);
            game.play(*move);
        }
    }
    return game;
}

/// The words that an example can ask for: "material_lost undefended threat", "only_legal".
std::vector<std::string> words_of(const Explanation& explanation) {
    std::vector<std::string> words;
    if (explanation.claim) {
        words.emplace_back(name(explanation.claim->kind));
        words.emplace_back(name(explanation.claim->motif));
        if (explanation.claim->was_threat)
            words.emplace_back("threat");
    }
    if (explanation.only_legal)
        words.emplace_back("only_legal");
    if (explanation.only_move)
        words.emplace_back("only_move");
    return words;
}

bool contains_all(const std::vector<std::string>& words, std::string_view wanted) {
    core::Words each{wanted};
    while (const auto word = each.next()) {
        if (std::find(words.begin(), words.end(), *word) == words.end())
            return false;
    }
    return true;
}

std::vector<std::string> words_about(const Example& example, const evaluate::Evaluate& evaluate) {
    const auto game = game_of(example.position);
    const auto move = core::read_move(game.position(), example.move);
    REQUIRE(move);
    ExplainRules rules;
    rules.nodes = 20'000;
    SearchListener listener;
    const auto explanation = explain::explain(game, *move, rules, evaluate, listener);
    REQUIRE(explanation);
    return words_of(*explanation);
}

}  // namespace

TEST_CASE("each motif is claimed where it is true, and not where it nearly is", "[explain][slow]") {
    const evaluate::Evaluate evaluate;
    const auto examples = read_examples();
    CHECK(examples.size() >= 150);
    for (const auto& example : examples) {
        const auto claimed = words_about(example, evaluate);
        CAPTURE(example.position, example.move, example.claim, claimed);
        constexpr std::string_view negation = "not:";
        if (std::string_view{example.claim}.starts_with(negation))
            CHECK_FALSE(contains_all(claimed, example.claim.substr(negation.size())));
        else
            CHECK(contains_all(claimed, example.claim));
    }
}
