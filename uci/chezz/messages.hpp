#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "uci/chezz/action.hpp"
#include "uci/chezz/game_state.hpp"

// Writes the WebSocket messages and HTTP bodies, JSON texts with chezz-back's bytes.
namespace uci::chezz {

/// The messages to a client who joins: its relation to the game; the moves since it last saw the
/// game, or the whole game if that is unknown and there are moves; and the game's status.
std::vector<std::string> join_messages(const GameState& state,
                                       const Rules& rules,
                                       UserId user,
                                       std::optional<std::size_t> plies_seen);

std::string error_message(const Rejection& rejection);

/// The messages to all clients after a change: one for each new move, one when a draw becomes
/// claimable, one when the game ends without a mate. If `after` does not continue the moves of
/// `before`, the whole state.
std::vector<std::string> updates_since(const GameState& before,
                                       const GameState& after,
                                       const Rules& rules);

/// The body of GET /game/ID.
std::string game_body(const GameState& state, const Rules& rules, Relation relation);
/// The body of POST /game.
std::string created_body(GameId id);
/// The body for a game that does not exist; `id` is quoted as the client wrote it.
std::string unknown_game_body(std::string_view id);
/// The body of any other error; `status` is HTTP's.
std::string error_body(std::string_view message, int status);

}  // namespace uci::chezz
