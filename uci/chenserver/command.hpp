#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace uci::chenserver {

/// All commands. Those of the second group are Parley's extensions.
enum class CommandKind : unsigned char {
    exit,
    history,
    legal,
    move,
    new_game,
    status,
    test,
    think,
    undo,

    close,
    evaluate,
    halt,
    hint,
    level,
    pgn,
    setup
};

/// A parsed line.
struct Command {
    std::string game;  ///< the name of a game; empty: the game that all clients share
    CommandKind kind = CommandKind::status;
    std::vector<std::string> arguments;
};

/// The command of a line; or the error that answers a line without one.
std::variant<Command, std::string> parse_command(std::string_view line);

/// Whether the first word of a line is one of the commands.
bool is_command(std::string_view line);

/// Whether a command may change a game or a running search.
bool is_mutating(CommandKind kind);

}  // namespace uci::chenserver
