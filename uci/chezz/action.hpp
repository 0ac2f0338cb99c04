#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "uci/chezz/game_state.hpp"

namespace uci::chezz {

/// Why a client's message is not carried out: a code for programs and a text for people.
struct Rejection {
    std::string_view code;
    std::string text;
};

struct Resignation {
    core::Color player;
};
struct DrawClaim {};

/// What a client may do in a game.
using Action = std::variant<core::Move, Resignation, DrawClaim>;

/// Reads a client's message: a move in the notation of read_move_text(), "resign", or "draw" to
/// claim one. Returns the legal action, or a Rejection with the code that chezz-back would give;
/// the checks come in chezz-back's order.
std::variant<Action, Rejection> validate(const GameState& state,
                                         const Rules& rules,
                                         UserId user,
                                         std::string_view message);

/// The game after a legal action.
GameState apply_action(GameState state, const Action& action);

}  // namespace uci::chezz
