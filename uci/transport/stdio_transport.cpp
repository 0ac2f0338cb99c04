#include "uci/transport/stdio_transport.hpp"

#include <algorithm>
#include <array>

// Unbuffered I/O on pipes, for each operating system.
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

/// Ignores SIGPIPE: the program ends at the end of its input, not at a failed write.
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

void StdioTransport::write_line(std::string_view line) {
    std::string text{line};
    text += '\n';
    std::string_view rest{text};
    while (!rest.empty()) {
        const auto count = write_some(rest.data(), rest.size());
        if (count <= 0)
            return;  // the reader is gone; the end of the input will end the program
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace uci
