#pragma once

#include <span>
#include <string>

namespace uci {

/// `parley replay`: sends the engine the lines that a debug log says it received, and compares its
/// answers with those in the log. Takes the arguments after that word; returns the exit status of
/// the program.
int replay(std::span<const std::string> arguments);

}  // namespace uci
