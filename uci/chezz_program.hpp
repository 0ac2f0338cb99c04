#pragma once

#include <span>
#include <string>

namespace uci {

/// `parley chezz-encode`: turns games, a line each, into chezz's states. Takes the arguments after
/// that word; returns the exit status of the program.
int chezz_encode(std::span<const std::string> arguments);

/// `parley chezz-decode`: turns states back into games.
int chezz_decode(std::span<const std::string> arguments);

}  // namespace uci
