#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace uci::transport {

/// Reads and writes lines of text. One thread may read while another one writes.
class Transport {
public:
    Transport() = default;
    virtual ~Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    Transport(Transport&&) = delete;
    Transport& operator=(Transport&&) = delete;

    /// Waits for the next line; returns it without its line end. Nothing at the end of the input.
    virtual std::optional<std::string> read_line() = 0;
    /// Writes a line, or several with line ends between them, and flushes.
    virtual void write_line(std::string_view line) = 0;
    /// Whether somebody types the lines, and no program or script sends them.
    virtual bool is_interactive() const { return false; }
};

}  // namespace uci::transport
