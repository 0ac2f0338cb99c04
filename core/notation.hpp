#pragma once

#include <string>
#include <string_view>

#include "core/position.hpp"

namespace core {

/// How a castling move is written in coordinates: as a king's move of two squares (e1g1), or
/// as the king taking its own rook (e1h1), which is the only clear way in Chess960.
enum class CastlingStyle : std::uint8_t { king_moves_two, king_takes_rook };

/// A move in coordinates: "e2e4", "e7e8q", "e1g1". Castling that is not that of standard chess
/// (king from the e-file, rook in the corner) is always written as the king taking its rook.
std::string coordinates(Move move, CastlingStyle style);

/// A legal move in standard algebraic notation with what it needs to be told from the others,
/// and with + or # where it is due.
std::string san(const Position& position, Move move);

/// The legal move that a text stands for, in coordinates or SAN; or why there is none. Castling
/// is understood as e1g1, e1h1 and O-O; needless disambiguation, "x", "=", "+", "#", "!" and
/// "?" are forgiven.
Result<Move> read_move(const Position& position, std::string_view text);

}  // namespace core
