#pragma once

#include <string>
#include <string_view>

#include "core/position.hpp"

namespace core {

/// Parses a FEN of four to six fields. Castling rights may be written as in FEN, X-FEN or
/// Shredder-FEN ("KQkq", "HAha", "Gb"). Error: the field at fault and why.
[[nodiscard]] Result<Position> read_fen(std::string_view text);

/// The FEN of a position. A castling right is written as the rook's file (X-FEN) where KQkq would
/// be ambiguous. The en passant square is written only if a legal en passant capture exists.
[[nodiscard]] std::string fen(const Position& position);

/// The FEN with the given square, or "-", in the en passant field.
[[nodiscard]] std::string fen_with_en_passant(const Position& position,
                                              std::optional<Square> en_passant);

}  // namespace core
