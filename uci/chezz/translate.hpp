#pragma once

#include <span>
#include <string>

namespace uci::chezz {

/// `parley chezz-encode`: reads a game in each line and writes chezz's bytes for it. Takes the
/// arguments after the sub-command; returns the exit status.
int encode_command(std::span<const std::string> arguments);

/// `parley chezz-decode`: the reverse.
int decode_command(std::span<const std::string> arguments);

}  // namespace uci::chezz
