#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley genfens`: prints random openings for OpenBench.
int genfens(std::span<const std::string> arguments);

}  // namespace uci::commands
