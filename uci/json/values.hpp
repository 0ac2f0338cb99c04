#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/position.hpp"

#include "engine/score.hpp"

// How the things of chess are written in JSON; what the messages are put together from.
namespace uci::json {

/// Members stay in the order in which they are set.
using Json = nlohmann::ordered_json;

/// A message with nothing in it but its type.
Json message(std::string_view type);

/// A square in capitals: E4.
std::string name(core::Square square);
std::string_view small_name(core::Color color);
/// The squares of a set, sorted by name: A1, A2 ... H8.
Json names(core::Bitboard set);

/// Which square a client names as the target of a move: for castling, the king's.
core::Square target_of(core::Move move);
/// Every square with a piece that can move, and where to.
Json moves_in(const core::Position& position);
/// Who is in check, by what, and where the king stands.
Json check_in(const core::Position& position);
/// A move between two squares: {"from":"E2","to":"E4"}.
Json from_to(core::Square from, core::Square to);
/// Centipawns, or moves to the mate: negative when the player to move is mated.
Json score_in(engine::Score score);

}  // namespace uci::json
