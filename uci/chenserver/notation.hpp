#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.hpp"

// Moves as ChenServer writes, reads and orders them.
namespace uci::chenserver {

/// How moves are written: by their squares (e2e4, e7e8q, e1g1) or as a PGN would (e4, e8=Q, O-O).
enum class Format : unsigned char { squares, pgn };

std::string move_text(const core::Position& position, core::Move move, Format format);

/// The legal move of a text by squares or in SAN, written exactly: capitals, x, = and castling as
/// they should be. Only + and # may be missing or too many, and the origin of a piece may be told
/// when nobody needs it, as long as it is true.
std::optional<core::Move> read_move(const core::Position& position, std::string_view text);

/// The legal moves in the order in which ChenServer lists them.
std::vector<core::Move> ordered_moves(const core::Game& game);

}  // namespace uci::chenserver
