#pragma once

#include <string>
#include <string_view>

#include "uci/mcp/analyser.hpp"
#include "uci/mcp/message.hpp"

namespace uci::mcp {

/// What a tool answers. A failure has only text, which says what would be right.
struct ToolResult {
    std::string text;
    Json structured;
    bool is_error = false;
};

/// What a client can call.
struct Tool {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    Json (*input_properties)();
    Json (*output_schema)();
    /// The arguments are a JSON object.
    ToolResult (*run)(const Json& arguments, Analyser& analyser, const Progress& progress);
    bool needs_move = true;  ///< whether an argument "move" must be given, if there is one
};

}  // namespace uci::mcp
