#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace uci::util {

/// Decides which of many errors are logged: one in each interval, with the number of those before
/// it that were not.
class LogThrottle {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit LogThrottle(std::chrono::milliseconds interval = std::chrono::seconds{10})
        : interval_{interval} {}

    /// The line to log for an error, if any. Control characters in it are replaced.
    std::optional<std::string> line(std::string_view text, Time now) {
        if (last_ && now - *last_ < interval_) {
            ++omitted_;
            return std::nullopt;
        }
        last_ = now;
        std::string line;
        for (const char letter : text)
            line += static_cast<unsigned char>(letter) < ' ' || letter == '\x7f' ? '?' : letter;
        if (omitted_ > 0)
            line += " (" + std::to_string(omitted_) + " more errors since the last line)";
        omitted_ = 0;
        return line;
    }

private:
    std::chrono::milliseconds interval_;
    std::optional<Time> last_;
    std::size_t omitted_ = 0;
};

}  // namespace uci::util
