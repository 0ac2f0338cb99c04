#pragma once

#include "uci/transport.hpp"

namespace uci {

/// Standard input and output. A line longer than the limit is cut there and the rest skipped;
/// a client that no longer listens is taken for one that has left.
class StdioTransport : public Transport {
public:
    static constexpr std::size_t longest_line = std::size_t{16} << 20;

    StdioTransport();

    std::optional<std::string> read_line() override;
    void write_line(std::string_view line) override;

private:
    bool fill();

    std::string buffer_;
    std::size_t next_ = 0;
    bool ended_ = false;
};

}  // namespace uci
