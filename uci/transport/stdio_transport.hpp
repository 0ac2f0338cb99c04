#pragma once

#include <array>
#include <string>

#include "uci/transport/transport.hpp"

namespace uci::transport {

/// Standard input and output, unbuffered. A longer line than the limit is cut off there; output
/// that nobody reads any more is dropped.
class StdioTransport : public Transport {
public:
    static constexpr std::size_t max_line_bytes = std::size_t{16} << 20;

    StdioTransport();

    std::optional<std::string> read_line() override;
    void write_line(std::string_view line) override;
    bool is_interactive() const override;

private:
    bool fill();

    std::array<char, 65'536> chunk_{};  ///< what was read last
    std::string buffer_;
    std::size_t next_ = 0;
    bool ended_ = false;
};

}  // namespace uci::transport
