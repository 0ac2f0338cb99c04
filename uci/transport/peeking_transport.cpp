#include "uci/transport/peeking_transport.hpp"

#include <utility>

#include "core/text.hpp"

namespace uci::transport {

PeekingTransport::PeekingTransport(Transport& transport) : transport_{transport} {
    do
        line_ = transport_.read_line();
    while (line_ && core::Words{*line_}.empty());
}

std::optional<std::string> PeekingTransport::read_line() {
    if (line_)
        return std::exchange(line_, std::nullopt);
    return transport_.read_line();
}

}  // namespace uci::transport
