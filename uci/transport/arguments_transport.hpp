#pragma once

#include <string>
#include <utility>
#include <vector>

#include "uci/transport/stdio_transport.hpp"

namespace uci::transport {

/// Reads commands that are given from the beginning, and writes to standard output.
class ArgumentsTransport : public Transport {
public:
    explicit ArgumentsTransport(std::vector<std::string> commands)
        : commands_{std::move(commands)} {}

    std::optional<std::string> read_line() override;
    void write_line(std::string_view line) override { output_.write_line(line); }

private:
    std::vector<std::string> commands_;
    std::size_t next_ = 0;
    StdioTransport output_;
};

}  // namespace uci::transport
