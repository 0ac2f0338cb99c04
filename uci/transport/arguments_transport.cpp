#include "uci/transport/arguments_transport.hpp"

namespace uci::transport {

std::optional<std::string> ArgumentsTransport::read_line() {
    if (next_ == commands_.size())
        return std::nullopt;
    return commands_[next_++];
}

}  // namespace uci::transport
