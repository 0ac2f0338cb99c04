#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.hpp"

// Moves as ChenServer writes, reads and orders them.
namespace uci::chenserver {

/// Moves as coordinates (e2e4, e7e8q, e1g1) or as SAN (e4, e8=Q, O-O).
enum class Format : unsigned char { squares, pgn };

std::string move_text(const core::Position& position, core::Move move, Format format);

/// The legal move of a text in coordinates or in exact SAN, with its capitals, x, = and castling.
/// Only + and # may be missing or superfluous, and a true disambiguation may be superfluous.
std::optional<core::Move> read_move_text(const core::Position& position, std::string_view text);

/// The legal moves in the order in which ChenServer lists them.
std::vector<core::Move> ordered_moves(const core::Game& game);

}  // namespace uci::chenserver
