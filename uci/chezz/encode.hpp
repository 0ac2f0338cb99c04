#pragma once

#include "core/game.hpp"
#include "core/result.hpp"

#include "uci/chezz/layout.hpp"

namespace uci::chezz {

/// The bytes of a game in one of the forms; refused when the game does not begin where a game of
/// standard chess does, since the layout has no room for another start.
core::Result<Bytes> encode(const core::Game& game, Form form);

}  // namespace uci::chezz
