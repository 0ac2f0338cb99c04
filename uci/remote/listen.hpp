#pragma once

#include <span>
#include <string>

#include "uci/dialect.hpp"

namespace uci::remote {

/// `parley listen`: an engine for each client that comes over TCP or a WebSocket. The dialect is
/// UCI.
int listen(std::span<const std::string> arguments, const DialectInfo& dialect);

}  // namespace uci::remote
