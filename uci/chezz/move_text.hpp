#pragma once

#include <string>
#include <string_view>

#include "core/position.hpp"
#include "core/result.hpp"

namespace uci::chezz {

/// The legal move that a text stands for, or why there is none. A text is two squares and, for a
/// promotion only, a letter, capital or small: e2e4, e1g1 for castling, g7g8Q.
core::Result<core::Move> read_move_text(const core::Position& position, std::string_view text);

/// A move in the same words, the letter of a promotion as a capital.
std::string move_text(core::Move move);

}  // namespace uci::chezz
