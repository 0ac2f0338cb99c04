#pragma once

#include <string>
#include <vector>

#include "core/game.hpp"

#include "engine/score.hpp"

#include "uci/mcp/message.hpp"

// Chess in words and JSON, for language models: everything that could be miscounted is spelt out.
namespace uci::mcp {

/// Eight lines of pieces as FEN letters, with ranks and files.
std::string ascii_board(const core::Position& position);

/// FEN, the side to move, check, and how the game ended if it has.
Json json_of(const core::Game& game);

/// The same in sentences, with the board.
std::string text_of(const core::Game& game);

/// "1. e4 e5 2. Nf3" for moves from a position on.
std::string numbered_moves(core::Position position, const std::vector<core::Move>& moves);

/// san, uci and the FEN after each move.
Json json_of_moves(core::Position position, const std::vector<core::Move>& moves);

/// A score for White: "pawns" or "mate", and "white_winning_chance" in percent.
Json json_of_score(engine::Score score);

/// "+0.31 (White wins 53 %)"
std::string text_of_score(engine::Score score);

/// The JSON Schemas of what the functions above return.
Json schema_of_position();
Json schema_of_moves();
/// The properties of a score alone.
Json score_properties();

/// {"type": "object", ...} with these properties, the required ones named.
Json object_schema(Json properties, const std::vector<std::string>& required);

}  // namespace uci::mcp
