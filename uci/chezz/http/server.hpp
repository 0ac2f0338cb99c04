#pragma once

#include <span>
#include <string>

namespace uci::chezz::http {

/// `parley chezz`: serves chezz's API over HTTP and WebSocket. Takes the arguments after the
/// sub-command; returns the exit status.
int run_chezz(std::span<const std::string> arguments);

}  // namespace uci::chezz::http
