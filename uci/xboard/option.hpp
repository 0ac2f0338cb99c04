#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/options.hpp"

// The engine's options as xboard's protocol writes them. Those that the protocol has commands for
// (memory, cores, hard, egtpath, variant, analyze) are not among them.
namespace uci::xboard {

/// The option with exactly this name, if it is offered.
std::optional<engine::OptionDescription> find_option(std::string_view name);

/// A value as the engine reads it: "true" for the 1 of a check.
std::string engine_value(const engine::OptionDescription& option, std::string_view value);

/// All options as the features declare them: "MultiPV -spin 1 1 256".
std::vector<std::string> option_declarations();

}  // namespace uci::xboard
