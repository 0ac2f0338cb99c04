#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace uci {

/// What the program's first argument can name.
struct SubCommand {
    std::string_view name;
    std::string_view summary;  ///< one line for --help
    /// Takes the arguments after the name; returns the exit status of the program.
    std::function<int(std::span<const std::string> arguments)> run;
};

/// All of them. A dialect without an entry of its own is among them under its name.
std::span<const SubCommand> sub_commands();

/// The sub-command with this name; null if there is none.
const SubCommand* find_sub_command(std::string_view name);

/// Runs the UCI commands that the arguments are (see read_argument_commands()), one after the
/// other. If one of them has a fault none is run; the first one that the engine refuses is the
/// last. Returns the exit status of the program.
int run_uci_commands(std::span<const std::string> arguments);

}  // namespace uci
