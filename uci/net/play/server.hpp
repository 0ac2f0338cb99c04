#pragma once

#include <span>
#include <string>

namespace uci::net::play {

/// `parley serve`: JSON messages over HTTP and WebSocket, and a page that speaks them. Takes the
/// arguments after that; returns the exit status of the program.
int serve(std::span<const std::string> arguments);

}  // namespace uci::net::play
