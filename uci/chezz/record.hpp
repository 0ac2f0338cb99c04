#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/chezz/table.hpp"

// What a store keeps: texts in JSON, the same as chezz-back's, so that both may share a Redis.
namespace uci::chezz {

/// A game as a store keeps it. What chezz-back does not know (the engine's time, a resignation, a
/// claimed draw) stands behind what it does, and only where there is something to say.
std::string game_record(const Table& table);

/// The game of such a text; or what is wrong with it.
core::Result<Table> read_game_record(std::string_view text);

std::string session_record(const std::string& session, UserId user);

/// Whose session such a text is; or what is wrong with it.
core::Result<UserId> read_session_record(std::string_view text);

/// Under which keys chezz-back keeps them in its Redis, behind its prefix.
std::string game_key(GameId id);
std::string session_key(const std::string& session);

}  // namespace uci::chezz
