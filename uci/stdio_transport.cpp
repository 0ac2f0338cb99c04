#include "uci/stdio_transport.hpp"

#include <algorithm>
#include <array>

// The one place that knows how a system reads and writes a pipe without buffers in between.
#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#else
#include <cerrno>
#include <csignal>
#include <unistd.h>
#endif

namespace uci {

namespace {

#if defined(_WIN32)

void prepare() {
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
}

std::ptrdiff_t read_some(char* data, std::size_t size) {
    return _read(0, data, static_cast<unsigned>(size));
}

std::ptrdiff_t write_some(const char* data, std::size_t size) {
    return _write(1, data, static_cast<unsigned>(size));
}

#else

/// A client that closes its end must not end the engine with a signal: the read ends it.
void prepare() {
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
}

std::ptrdiff_t read_some(char* data, std::size_t size) {
    for (;;) {
        const auto count = read(STDIN_FILENO, data, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

std::ptrdiff_t write_some(const char* data, std::size_t size) {
    for (;;) {
        const auto count = write(STDOUT_FILENO, data, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

#endif

}  // namespace

StdioTransport::StdioTransport() {
    prepare();
}

bool StdioTransport::fill() {
    std::array<char, 65'536> chunk{};
    const auto count = read_some(chunk.data(), chunk.size());
    if (count <= 0) {
        ended_ = true;
        return false;
    }
    buffer_.erase(0, next_);
    next_ = 0;
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    return true;
}

std::optional<std::string> StdioTransport::read_line() {
    std::string line;
    for (;;) {
        const auto end = buffer_.find('\n', next_);
        const auto stop = std::min(end, buffer_.size());
        const auto room = longest_line - line.size();
        line.append(buffer_, next_, std::min(stop - next_, room));
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

void StdioTransport::write_line(std::string_view line) {
    std::string text{line};
    text += '\n';
    std::string_view rest{text};
    while (!rest.empty()) {
        const auto count = write_some(rest.data(), rest.size());
        if (count <= 0)
            return;  // nobody listens any more; the end of the input will tell
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace uci
