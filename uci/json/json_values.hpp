#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/position.hpp"

#include "engine/score.hpp"

#include "uci/json/game_clock.hpp"

// Chess values as JSON: the parts that messages are made of. Includes the JSON library, so only
// .cpp files include this.
namespace uci::json {

/// Keeps members in the order in which they are set.
using Json = nlohmann::ordered_json;

/// An object with nothing but its message_type.
Json message_json(std::string_view type);

/// A square in capitals: E4.
std::string square_name(core::Square square);
std::string_view color_name(core::Color color);
/// The squares of a set, sorted by name: A1, A2 ... H8.
Json squares_json(core::Bitboard set);

/// All legal moves: {"E2":["E3","E4"], ...}.
Json legal_moves_json(const core::Position& position);
/// Who is in check, by which pieces, and where the king stands.
Json check_json(const core::Position& position);
/// A move between two squares: {"from":"E2","to":"E4"}.
Json move_json(core::Square from, core::Square to);
/// Centipawns, or moves to mate: negative when the player to move is mated.
Json score_json(engine::Score score);
/// Adds to an object what the clocks show, the increments, and whose clock runs.
void add_clock(Json& json, const GameClock& clock, GameClock::Time now);

}  // namespace uci::json
