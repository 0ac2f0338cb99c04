#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley worker`: does jobs of a queue until it is stopped. Takes the arguments after that word;
/// returns the exit status of the program.
int worker(std::span<const std::string> arguments);

}  // namespace uci::commands
