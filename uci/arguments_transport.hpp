#pragma once

#include <string>
#include <vector>

#include "uci/stdio_transport.hpp"

namespace uci {

/// Commands from the program's arguments; what is said goes to standard output. Each argument is a
/// command when one of them holds a blank, else they are one command together.
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

}  // namespace uci
