#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "uci/transport.hpp"

namespace uci {

enum class DialectName : std::uint8_t { uci, chenserver, json };

/// The dialect of someone who begins a conversation with this line: UCI, unless the line is
/// clearly of another.
DialectName dialect_for(std::string_view line);

/// A transport whose first line that is not blank can be seen before it is read. Blank lines
/// before it are skipped. For one thread that reads and one that writes, as any transport.
class OpeningLine : public Transport {
public:
    /// Waits for the line.
    explicit OpeningLine(Transport& transport);

    /// The line; empty when the other side has left without one.
    std::string_view text() const { return line_ ? std::string_view{*line_} : ""; }

    std::optional<std::string> read_line() override;
    void write_line(std::string_view line) override { transport_.write_line(line); }

private:
    Transport& transport_;
    std::optional<std::string> line_;
};

}  // namespace uci
