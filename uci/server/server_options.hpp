#pragma once

#include <string>
#include <vector>

#include "uci/command_line.hpp"
#include "uci/net/proxies.hpp"
#include "uci/net/same_origin.hpp"

namespace uci::server {

/// What every server can set.
struct ServerSettings {
    int port = 0;
    std::string addresses;  ///< comma-separated; empty for this machine only
    std::vector<std::string> origins;
    std::vector<std::string> proxies;
    EngineSettings engine;
};

/// Adds --port, --bind, --origin, --trust-proxy, --log-level and the engine's options.
void add_server_options(CommandLine& line, ServerSettings& settings, int least_port);

/// What the option --origin says, once it has been checked.
std::vector<net::Origin> origins_of(const ServerSettings& settings);
/// What the option --trust-proxy says, once it has been checked.
net::TrustedProxies proxies_of(const ServerSettings& settings);

}  // namespace uci::server
