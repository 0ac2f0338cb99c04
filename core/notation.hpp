#pragma once

#include <string>
#include <string_view>

#include "core/position.hpp"

namespace core {

/// How a castling move is written in coordinates: as the king moving two squares (e1g1), or as
/// the king taking its own rook (e1h1), which is unambiguous in Chess960 too.
enum class CastlingStyle : std::uint8_t { king_moves_two, king_takes_rook };

/// A move in UCI's coordinate notation: "e2e4", "e7e8q", "e1g1". Castling with a king off the
/// e-file or a rook outside a corner is always written as the king taking its rook.
[[nodiscard]] std::string to_uci(Move move, CastlingStyle style);

/// A legal move in standard algebraic notation, disambiguated as far as needed, with + or #.
[[nodiscard]] std::string san(const Position& position, Move move);

/// Parses a move in coordinate notation or SAN. Castling may be e1g1, e1h1, O-O or 0-0; missing or
/// needless disambiguation, "x", "=", "+", "#", "!" and "?" are accepted where the move is clear.
/// Error: why no legal move matches.
[[nodiscard]] Result<Move> read_move(const Position& position, std::string_view text);

}  // namespace core
