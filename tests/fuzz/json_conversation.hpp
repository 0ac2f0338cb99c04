#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tests {

/// Sends lines of any bytes to a session, with an engine that plays the first legal move. Returns
/// what is wrong with the answers, or nothing.
std::optional<std::string> fault_in_json_conversation(std::string_view lines);

}  // namespace tests
