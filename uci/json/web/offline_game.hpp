#pragma once

#include "engine/general_interface.hpp"

#include "uci/transport/transport.hpp"

namespace uci::json::web {

/// Plays one game with one client, who sends a message in each line as over a WebSocket of `parley
/// serve`: for the page without a server. The client stores the game: after each change it receives
/// a record of it, which is the one line without a "message_type". If it sends a record first, that
/// game goes on. Returns at the end of the input.
void run_offline_game(engine::GeneralInterface& engine, transport::Transport& transport);

}  // namespace uci::json::web
