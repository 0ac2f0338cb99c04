#pragma once

#include <span>

#include "core/game.hpp"
#include "core/result.hpp"

#include "uci/chezz/layout.hpp"

namespace uci::chezz {

/// A game and the form in which its bytes came.
struct State {
    core::Game game;
    Form form = Form::front_end;
};

/// The game that bytes stand for, in whichever form they are; or what is wrong with them. Takes
/// any bytes. The moves are played by the rules, and everything else must agree with them, so
/// encoding an accepted game in the same form gives the same bytes.
core::Result<State> decode(std::span<const std::uint8_t> bytes);

}  // namespace uci::chezz
