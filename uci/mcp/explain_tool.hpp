#pragma once

#include "uci/mcp/tool.hpp"

// The tool that explains a move; parts of a Tool.
namespace uci::mcp {

Json explain_input();
Json explain_output();
ToolResult explain(const Json& arguments, Analyser& analyser, const Progress& progress);

}  // namespace uci::mcp
