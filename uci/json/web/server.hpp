#pragma once

#include <span>
#include <string>

namespace uci::json::web {

/// `parley serve`: JSON messages over HTTP and WebSocket, and a page to play on. Takes the
/// arguments after `serve`; returns the exit status.
int serve(std::span<const std::string> arguments);

}  // namespace uci::json::web
