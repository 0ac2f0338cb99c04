#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "uci/chezz/judge.hpp"
#include "uci/chezz/table.hpp"

// What clients are told, in JSON: values in, one line of text out.
namespace uci::chezz {

/// What a client is told on coming: its relation to the game; the moves that were played since it
/// saw the game for the last time, or the whole game if that is not known and there are moves in
/// it; and whether it is over.
std::vector<std::string> welcome_messages(const Table& table,
                                          const Rules& rules,
                                          UserId user,
                                          std::optional<std::size_t> plies_seen);

std::string error_message(const Refusal& refusal);

/// What everyone is told when a game has become another: a message for each new move, when a draw
/// may be claimed that could not be before, and when the game is over without a mate. If the
/// moves are not those before and some more, the whole state.
std::vector<std::string> news(const Table& before, const Table& after, const Rules& rules);

/// A game as it is given to those who ask for it.
std::string game_body(const Table& table, const Rules& rules, Relation relation);
std::string created_body(GameId id);
/// The number is repeated as it was asked for.
std::string unknown_game_body(std::string_view id);
/// Any other answer that is an error, with the status of HTTP.
std::string error_body(std::string_view message, int status);

}  // namespace uci::chezz
