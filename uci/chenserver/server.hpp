#pragma once

#include "uci/command_line.hpp"

namespace uci::chenserver {

struct ServerOptions {
    ServerSettings settings;
    bool no_exit = false;     ///< clients cannot end the program
    bool allow_exit = false;  ///< they can, also on a server that other machines reach
};

/// `parley chenserver --port N`: serves ChenServer's commands over TCP and HTTP until it is
/// stopped. Returns the exit status of the program.
int run_server(const ServerOptions& options);

}  // namespace uci::chenserver
