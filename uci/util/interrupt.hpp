#pragma once

#include <atomic>

namespace uci::util {

/// Becomes true when the system asks the program to end: Ctrl-C, or SIGTERM. From the first call on
/// such a request does nothing else.
const std::atomic<bool>& interrupt_requested();

}  // namespace uci::util
