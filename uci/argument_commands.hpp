#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace uci {

/// Whether each argument of the program begins with the word of a UCI command.
bool are_uci_commands(std::span<const std::string> arguments);

/// The UCI commands that the arguments are. Each one is a command if one of them contains a blank,
/// or if all are words of commands ("d", "eval"); otherwise all together are one. Error: what is
/// wrong with one of the commands, as far as that shows without the engine.
core::Result<std::vector<std::string>> read_argument_commands(
    std::span<const std::string> arguments);

}  // namespace uci
