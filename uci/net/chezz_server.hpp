#pragma once

#include <span>
#include <string>

namespace uci::net {

/// `parley chezz`: chezz's games over HTTP and WebSocket. Takes the arguments after that word;
/// returns the exit status of the program.
int run_chezz(std::span<const std::string> arguments);

}  // namespace uci::net
