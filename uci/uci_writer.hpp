#pragma once

#include <string>
#include <string_view>

#include "engine/response.hpp"

// The engine's responses as lines of UCI. Pure functions: values in, text out.
namespace uci {

/// A response as text: one line or several, without the last line end.
std::string format(const engine::Response& response);

/// The answer to `uci`: the engine's name and author, its options, uciok.
std::string identification();

/// The answer to `help`.
std::string help_text();

/// A message for the user: "info string TEXT".
std::string info_string(std::string_view text);

}  // namespace uci
