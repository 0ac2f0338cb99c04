#pragma once

#include <span>
#include <string>
#include <vector>

namespace uci::commands {

/// `parley doctor`: checks whether everything that Parley needs is there and works well.
/// `text_options` are the names of the UCI options that the dialect handles itself. Returns the
/// exit status.
int doctor(std::span<const std::string> arguments, std::vector<std::string> text_options);

}  // namespace uci::commands
