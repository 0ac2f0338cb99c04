#pragma once

#include <cstdint>
#include <string>

namespace uci::util {

enum class LogFormat : std::uint8_t { text, json };

/// Where the log of a server goes, and how its lines look.
struct LogSettings {
    LogFormat format = LogFormat::text;
    std::string file;  ///< appended to; empty for standard error
};

}  // namespace uci::util
