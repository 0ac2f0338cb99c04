#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "uci/chezz/table.hpp"

namespace uci::chezz {

/// Why something that a client said is not done.
struct Refusal {
    std::string_view code;
    std::string text;
};

struct Resignation {
    core::Color player;
};
struct DrawClaim {};

/// What a client's message comes to at a table.
using Verdict = std::variant<core::Move, Resignation, DrawClaim, Refusal>;

/// Judges a message: a move in the words of read_move_text(), "resign", or "draw" to claim one.
/// What chezz-back would refuse is refused with its codes, in the order of its tests.
Verdict judge(const Table& table, const Rules& rules, UserId user, std::string_view message);

/// The table after a verdict that is no refusal.
Table obeyed(Table table, const Verdict& verdict);

}  // namespace uci::chezz
