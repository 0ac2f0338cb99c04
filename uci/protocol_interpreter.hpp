#pragma once

#include <string>
#include <vector>

namespace uci {

/// Decides how the program is spoken to, by its arguments, and holds that conversation to its
/// end. Returns the exit status of the program.
int interpret(const std::vector<std::string>& arguments);

}  // namespace uci
