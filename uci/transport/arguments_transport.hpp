#pragma once

#include <string>
#include <vector>

#include "uci/transport/stdio_transport.hpp"

namespace uci::transport {

/// Reads commands from the program's arguments and writes to standard output. If an argument
/// contains a blank, each argument is a command; otherwise all of them together are one.
class ArgumentsTransport : public Transport {
public:
    explicit ArgumentsTransport(const std::vector<std::string>& arguments);

    std::optional<std::string> read_line() override;
    void write_line(std::string_view line) override { output_.write_line(line); }

private:
    std::vector<std::string> commands_;
    std::size_t next_ = 0;
    StdioTransport output_;
};

}  // namespace uci::transport
