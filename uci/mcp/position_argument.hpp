#pragma once

#include <string>
#include <string_view>

#include "core/game.hpp"
#include "core/result.hpp"

#include "uci/mcp/message.hpp"

namespace uci::mcp {

/// Most plies of a game.
inline constexpr std::size_t max_plies = 600;

/// The arguments with which a position is given: "moves", "pgn" and "fen" of a JSON schema.
Json position_properties();

/// The game that the arguments "moves" (text or an array), "pgn" and "fen" describe; without any
/// the start position. Error: what is wrong with them, and what would be right.
core::Result<core::Game> game_of(const Json& arguments);

/// Plays a move. Error: it is not legal, and which moves of that piece are.
core::Result<core::Move> legal_move(const core::Position& position, std::string_view text);

}  // namespace uci::mcp
