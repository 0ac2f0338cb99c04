#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace uci::commands {

/// Reads YAML into a JSON value, with the types of YAML 1.1 for words that are not quoted, as
/// Python's reader has them: yes and on are true. Error: the line and what is wrong there; that the
/// text is too large when its aliases are written out, or too deep.
core::Result<nlohmann::ordered_json> read_yaml(const std::string& text);

}  // namespace uci::commands
