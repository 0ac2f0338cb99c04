#pragma once

#include <span>
#include <string>

#include "uci/dialect.hpp"

namespace uci::remote {

/// `parley connect`: stands in a chess program as a local engine and lets a server of `parley
/// listen` play. The dialect is UCI, for the engine that plays when no server answers.
int connect(std::span<const std::string> arguments, const DialectInfo& dialect);

}  // namespace uci::remote
