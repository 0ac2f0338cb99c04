#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley epd`: searches the positions of EPD suites and tells which ones are solved.
int epd(std::span<const std::string> arguments);

}  // namespace uci::commands
