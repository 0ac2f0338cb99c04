#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <utility>

namespace uci::util {

/// Reads lines of a stream, and of each no more than a limit, so that a file without line ends
/// cannot fill the memory.
class LineReader {
public:
    struct Line {
        std::string text;  ///< without its line end; at most as long as the limit
        bool is_whole = true;
    };

    LineReader(std::istream& input, std::size_t max_bytes) : input_{input}, max_bytes_{max_bytes} {}

    /// The next line; nothing at the end of the stream or when it cannot be read.
    std::optional<Line> next() {
        Line line;
        char byte = 0;
        bool is_empty = true;
        while (input_.get(byte)) {
            is_empty = false;
            if (byte == '\n')
                return line;
            if (line.text.size() < max_bytes_)
                line.text += byte;
            else
                line.is_whole = false;
        }
        return is_empty ? std::nullopt : std::optional{std::move(line)};
    }

private:
    std::istream& input_;
    std::size_t max_bytes_;
};

}  // namespace uci::util
