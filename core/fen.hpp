#pragma once

#include <string>
#include <string_view>

#include "core/position.hpp"

namespace core {

/// The position that a FEN of four to six fields describes, or the field at fault and why.
/// Castling rights are read as in FEN, X-FEN and Shredder-FEN ("KQkq", "HAha", "Gb").
Result<Position> read_fen(std::string_view text);

/// The FEN of a position. A castling right that KQkq would not name clearly stands as the file
/// of its rook (X-FEN). The en passant square stands only where a legal capture is.
std::string fen(const Position& position);

/// The same with an en passant field of the caller's choice: a square, or none.
std::string fen_with_en_passant(const Position& position, std::optional<Square> en_passant);

}  // namespace core
