#pragma once

#include <cstdint>
#include <string_view>

// Log lines for the person who runs a server. They go to standard error, each with "parley: " before
// it; if it cannot be written, the line is dropped.
namespace uci::util {

enum class LogLevel : std::uint8_t { none, error, info };

/// Sets what is logged from now on: everything up to this level. For the program's start, before
/// there are other threads.
void set_log_level(LogLevel level);

void log_error(std::string_view text);
void log_info(std::string_view text);

}  // namespace uci::util
