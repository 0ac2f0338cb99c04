#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley datagen`: generates training games by self-play, or describes those that were played.
/// Takes the arguments after that word; returns the exit status of the program.
int datagen(std::span<const std::string> arguments);

}  // namespace uci::commands
