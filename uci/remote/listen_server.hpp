#pragma once

#include <string>
#include <vector>

#include "uci/dialect.hpp"
#include "uci/remote/remote_client.hpp"
#include "uci/util/log_settings.hpp"

namespace uci::remote {

struct ListenOptions {
    int port = 3'333;
    std::string addresses{};             ///< comma-separated; empty for this machine only
    std::vector<std::string> allowed{};  ///< networks of the clients; empty for all
    std::vector<std::string> origins{};  ///< of pages that may open a WebSocket
    int sessions = 4;
    SessionHost::Settings settings{};
    util::LogSettings log{};
};

/// Serves until a signal ends it. Returns the exit status.
int run_listen_server(const ListenOptions& options, const DialectInfo& dialect);

}  // namespace uci::remote
