#include "uci/util/log.hpp"

#include <atomic>
#include <cstdio>
#include <string>

namespace uci::util {

namespace {

/// Relaxed: written once, before other threads start.
std::atomic<LogLevel> current_level{LogLevel::info};

void log(LogLevel level, std::string_view text) {
    if (level > current_level.load(std::memory_order_relaxed))
        return;
    static_cast<void>(std::fputs(("parley: " + std::string{text} + '\n').c_str(), stderr));
}

}  // namespace

void set_log_level(LogLevel level) {
    current_level.store(level, std::memory_order_relaxed);
}

void log_error(std::string_view text) {
    log(LogLevel::error, text);
}

void log_info(std::string_view text) {
    log(LogLevel::info, text);
}

}  // namespace uci::util
