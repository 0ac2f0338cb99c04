#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley annotate`: games with a review in PGN or JSON. Takes the arguments after that word;
/// returns the exit status of the program.
int annotate(std::span<const std::string> arguments);

}  // namespace uci::commands
