#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "uci/transport/transport.hpp"

namespace uci::transport {

/// A transport whose first non-blank line can be looked at before it is read; blank lines before it
/// are skipped. As with any transport, one thread may read and one may write.
class PeekingTransport : public Transport {
public:
    /// Waits for the first line.
    explicit PeekingTransport(Transport& transport);

    /// The first line; empty when the input ended without one.
    std::string_view first_line() const { return line_ ? std::string_view{*line_} : ""; }

    std::optional<std::string> read_line() override;
    void write_line(std::string_view line) override { transport_.write_line(line); }
    bool is_interactive() const override { return transport_.is_interactive(); }

private:
    Transport& transport_;
    std::optional<std::string> line_;
};

}  // namespace uci::transport
