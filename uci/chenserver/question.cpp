#include "uci/chenserver/question.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace uci::chenserver {

namespace {

constexpr std::array<std::pair<std::string_view, Verb>, 14> verbs{{
    {"exit", Verb::exit},
    {"history", Verb::history},
    {"legal", Verb::legal},
    {"move", Verb::move},
    {"new", Verb::new_game},
    {"status", Verb::status},
    {"test", Verb::test},
    {"think", Verb::think},
    {"undo", Verb::undo},
    {"evaluate", Verb::evaluate},
    {"halt", Verb::halt},
    {"hint", Verb::hint},
    {"pgn", Verb::pgn},
    {"setup", Verb::setup},
}};
/// In front of another command it says which game is meant.
constexpr std::string_view game_word = "game";
constexpr std::size_t longest_name = 64;

constexpr std::string_view cannot_parse = "CANNOT_PARSE";
constexpr std::string_view unknown_command = "UNKNOWN_COMMAND";

/// Blanks, tabs and line ends part words; a NUL is a letter like any other.
bool is_separator(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    auto at = line.begin();
    for (;;) {
        at = std::find_if_not(at, line.end(), is_separator);
        if (at == line.end())
            return words;
        const auto end = std::find_if(at, line.end(), is_separator);
        words.emplace_back(at, end);
        at = end;
    }
}

std::optional<Verb> verb_of(std::string_view word) {
    for (const auto& [name, verb] : verbs) {
        if (name == word)
            return verb;
    }
    return std::nullopt;
}

bool is_name(std::string_view text) {
    return text.size() <= longest_name && std::all_of(text.begin(), text.end(), [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
                   || (letter >= '0' && letter <= '9') || letter == '-' || letter == '_'
                   || letter == '.';
           });
}

}  // namespace

std::variant<Question, std::string> read_question(std::string_view line) {
    auto words = words_of(line);
    if (words.empty())
        return std::string{cannot_parse};
    Question question;
    std::size_t first = 0;
    if (words[0] == game_word) {
        if (words.size() < 3)
            return std::string{"BAD_ARGS"};
        if (!is_name(words[1]))
            return std::string{"BAD_NAME"};
        question.game = words[1];
        first = 2;
    }
    const auto verb = verb_of(words[first]);
    // The program is everybody's, so no single game can end it.
    if (!verb || (first > 0 && *verb == Verb::exit))
        return std::string{unknown_command};
    question.verb = *verb;
    question.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(first) + 1, words.end());
    return question;
}

bool is_command(std::string_view line) {
    const auto words = words_of(line);
    return !words.empty() && (words[0] == game_word || verb_of(words[0]));
}

bool changes_something(Verb verb) {
    switch (verb) {
        case Verb::history:
        case Verb::legal:
        case Verb::status:
        case Verb::test:
        case Verb::evaluate:
        case Verb::pgn: return false;
        default: return true;
    }
}

}  // namespace uci::chenserver
