#pragma once

#include <span>
#include <string>

namespace uci::net {

/// `parley -p PORT`: ChenServer's commands over TCP and HTTP. Takes the arguments from -p on;
/// returns the exit status of the program.
int run_chenserver(std::span<const std::string> arguments);

}  // namespace uci::net
