#include "uci/transport/stdio_transport.hpp"

#include <algorithm>

#include "uci/util/platform.hpp"

namespace uci::transport {

StdioTransport::StdioTransport() {
    util::prepare_standard_streams();
}

bool StdioTransport::fill() {
    const auto count = util::read_input(chunk_.data(), chunk_.size());
    if (count <= 0) {
        ended_ = true;
        return false;
    }
    buffer_.erase(0, next_);
    next_ = 0;
    buffer_.append(chunk_.data(), static_cast<std::size_t>(count));
    return true;
}

std::optional<std::string> StdioTransport::read_line() {
    std::string line;
    for (;;) {
        const auto end = buffer_.find('\n', next_);
        const auto stop = std::min(end, buffer_.size());
        const auto space = max_line_bytes - line.size();
        line.append(buffer_, next_, std::min(stop - next_, space));
        next_ = end == std::string::npos ? stop : end + 1;
        if (end != std::string::npos)
            return line;
        if (ended_ || !fill()) {
            if (line.empty())
                return std::nullopt;
            return line;
        }
    }
}

bool StdioTransport::is_interactive() const {
    return util::standard_input_is_terminal();
}

void StdioTransport::write_line(std::string_view line) {
    std::string text{line};
    text += '\n';
    std::string_view rest{text};
    while (!rest.empty()) {
        const auto count = util::write_output(rest.data(), rest.size());
        if (count <= 0)
            return;  // the reader is gone; the end of the input will end the program
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace uci::transport
