#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace uci {

/// How words travel: lines in and lines out. One thread reads and one thread writes.
class Transport {
public:
    Transport() = default;
    virtual ~Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    Transport(Transport&&) = delete;
    Transport& operator=(Transport&&) = delete;

    /// The next line without its end; waits for it. Nothing when the other side has left.
    virtual std::optional<std::string> read_line() = 0;
    /// Says a line, at once.
    virtual void write_line(std::string_view line) = 0;
};

}  // namespace uci
