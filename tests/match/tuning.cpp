#include "engine/general_interface.hpp"

#include "uci/transport/stdio_transport.hpp"
#include "uci/uci_dialect.hpp"

/// Parley with options for the numbers that tools/match/spsa tunes; UCI alone. run.py talks to it.
int main() {
    engine::GeneralInterface engine;
    uci::transport::StdioTransport transport;
    uci::UciDialect{engine}.run(transport);
    return 0;
}
