#pragma once

#include <span>
#include <string_view>

#include "uci/mcp/tool.hpp"

namespace uci::mcp {

std::span<const Tool> all_tools();

/// Null if there is no such tool.
const Tool* find_tool(std::string_view name);

/// The tool as tools/list shows it.
Json description_of(const Tool& tool);

/// Runs a tool after a check of the names of its arguments.
ToolResult run_tool(const Tool& tool,
                    const Json& arguments,
                    Analyser& analyser,
                    const Progress& progress);

}  // namespace uci::mcp
