#pragma once

#include <string>
#include <vector>

namespace uci {

/// Runs the program: a sub-command, UCI commands from the arguments, or without arguments a
/// conversation on standard input and output. Returns the exit status.
int interpret(const std::vector<std::string>& arguments);

}  // namespace uci
