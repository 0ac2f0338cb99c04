#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley tb`: what the Syzygy tables say of positions. Takes the arguments after that word;
/// returns the exit status of the program.
int tb(std::span<const std::string> arguments);

}  // namespace uci::commands
