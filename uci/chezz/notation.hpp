#pragma once

#include <string>
#include <string_view>

#include "core/position.hpp"
#include "core/result.hpp"

namespace uci::chezz {

/// Whether a text is two squares and at most one promotion letter.
bool has_move_form(std::string_view text);

/// Reads a legal move in chezz's notation: two squares and, for a promotion only, a letter of
/// either case: e2e4, e1g1 for castling, g7g8Q. Error: why no legal move matches.
core::Result<core::Move> read_move_text(const core::Position& position, std::string_view text);

/// Writes a move in the same notation, with a capital letter for a promotion.
std::string move_text(core::Move move);

}  // namespace uci::chezz
