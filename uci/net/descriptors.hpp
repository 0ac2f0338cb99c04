#pragma once

#include <cstddef>

namespace uci::net {

/// Asks the system to let this process have so many connections open at a time, beside its other
/// files. How many of them there can be after that.
std::size_t allow_connections(std::size_t wanted);

}  // namespace uci::net
