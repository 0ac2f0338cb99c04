#pragma once

#include "engine/general_interface.hpp"

#include "uci/transport/transport.hpp"

namespace uci::json::web {

/// Plays one game with one client, who sends a message in each line as over a WebSocket of
/// `parley serve`: for the page without a server. Returns at the end of the input.
void run_offline_game(engine::GeneralInterface& engine, transport::Transport& transport);

}  // namespace uci::json::web
