#include "uci/util/interrupt.hpp"

#include <csignal>

namespace uci::util {

namespace {

std::atomic<bool> interrupted{false};

extern "C" void interrupt(int signal) {
    interrupted = true;
    // A second one ends the program, which may be waiting for input.
    static_cast<void>(std::signal(signal, SIG_DFL));
}

}  // namespace

const std::atomic<bool>& interrupt_requested() {
    static_cast<void>(std::signal(SIGINT, interrupt));
    static_cast<void>(std::signal(SIGTERM, interrupt));
    return interrupted;
}

}  // namespace uci::util
