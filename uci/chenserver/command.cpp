#include "uci/chenserver/command.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "uci/chenserver/limits.hpp"

namespace uci::chenserver {

namespace {

constexpr std::array<std::pair<std::string_view, CommandKind>, 16> command_names{{
    {"exit", CommandKind::exit},
    {"history", CommandKind::history},
    {"legal", CommandKind::legal},
    {"move", CommandKind::move},
    {"new", CommandKind::new_game},
    {"status", CommandKind::status},
    {"test", CommandKind::test},
    {"think", CommandKind::think},
    {"undo", CommandKind::undo},
    {"close", CommandKind::close},
    {"evaluate", CommandKind::evaluate},
    {"halt", CommandKind::halt},
    {"hint", CommandKind::hint},
    {"level", CommandKind::level},
    {"pgn", CommandKind::pgn},
    {"setup", CommandKind::setup},
}};
/// A prefix that names the game of a command: game NAME COMMAND.
constexpr std::string_view game_prefix = "game";

constexpr std::string_view cannot_parse = "CANNOT_PARSE";
constexpr std::string_view unknown_command = "UNKNOWN_COMMAND";

/// Words are separated by spaces, tabs and line ends; a NUL is a character like any other.
bool is_separator(char character) {
    return character == ' ' || (character >= '\t' && character <= '\r');
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

std::optional<CommandKind> find_kind(std::string_view word) {
    for (const auto& [name, kind] : command_names) {
        if (name == word)
            return kind;
    }
    return std::nullopt;
}

bool is_game_name(std::string_view text) {
    return text.size() <= max_name_length && std::all_of(text.begin(), text.end(), [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
                   || (letter >= '0' && letter <= '9') || letter == '-' || letter == '_'
                   || letter == '.';
           });
}

}  // namespace

std::variant<Command, std::string> parse_command(std::string_view line) {
    auto words = words_of(line);
    if (words.empty())
        return std::string{cannot_parse};
    Command command;
    std::size_t first = 0;
    if (words[0] == game_prefix) {
        if (words.size() < 3)
            return std::string{"BAD_ARGS"};
        if (!is_game_name(words[1]))
            return std::string{"BAD_NAME"};
        command.game = words[1];
        first = 2;
    }
    const auto kind = find_kind(words[first]);
    // All games share the program, so a command of one game cannot end it; and the game that all
    // clients share cannot be closed.
    if (!kind || *kind == (first > 0 ? CommandKind::exit : CommandKind::close))
        return std::string{unknown_command};
    command.kind = *kind;
    command.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(first) + 1, words.end());
    return command;
}

bool is_command(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty())
        return false;
    const auto kind = find_kind(words[0]);
    return words[0] == game_prefix || (kind && *kind != CommandKind::close);
}

bool is_mutating(CommandKind kind) {
    switch (kind) {
        case CommandKind::history:
        case CommandKind::legal:
        case CommandKind::status:
        case CommandKind::test:
        case CommandKind::evaluate:
        case CommandKind::pgn: return false;
        default: return true;
    }
}

}  // namespace uci::chenserver
