#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley explain`: what is wrong with a move, or good about the best one, in words or as JSON.
int explain(std::span<const std::string> arguments);

}  // namespace uci::commands
