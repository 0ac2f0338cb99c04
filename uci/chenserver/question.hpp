#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace uci::chenserver {

/// What can be asked. The second group is Parley's own.
enum class Verb : unsigned char {
    exit,
    history,
    legal,
    move,
    new_game,
    status,
    test,
    think,
    undo,

    evaluate,
    halt,
    hint,
    pgn,
    setup
};

/// A line that was understood.
struct Question {
    std::string game;  ///< the name of the game it is about; empty: the one that all share
    Verb verb = Verb::status;
    std::vector<std::string> arguments;
};

/// The question of a line; or the answer to a line that is none.
std::variant<Question, std::string> read_question(std::string_view line);

/// Whether the first word of a line is one of the commands.
bool is_command(std::string_view line);

/// Whether a question could change a game or what the engine does.
bool changes_something(Verb verb);

}  // namespace uci::chenserver
