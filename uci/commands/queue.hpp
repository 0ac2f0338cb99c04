#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley queue`: shows what the queue of a Redis does, lists jobs that were put aside, and
/// measures it. Takes the arguments after that word; returns the exit status of the program.
int queue(std::span<const std::string> arguments);

}  // namespace uci::commands
