#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/chezz/game_state.hpp"

// The records in the stores: JSON texts with chezz-back's bytes, so that both programs can share a
// Redis.
namespace uci::chezz {

/// Writes a game's record. The members that chezz-back does not know (EngineTime in milliseconds,
/// EngineElo, Resigned, DrawClaimed) come last, and only if they are set.
std::string game_record(const GameState& state);

/// Reads a game's record. Error: what is wrong with it.
core::Result<GameState> read_game_record(std::string_view text);

/// A game as a store holds it.
struct StoredGame {
    std::string record;
    std::optional<GameState> state{};  ///< none if the record is the known one
};

/// Reads the record that a store was asked for. Nothing if there is none, or no game's record. A
/// long game takes milliseconds to read: `known_record`, whose state the caller has, is not read
/// again.
std::optional<StoredGame> read_stored_game(const std::optional<std::string>& record,
                                           const std::optional<std::string>& known_record);

/// Writes a session's record.
std::string session_record(const std::string& session, UserId user);

/// Reads whose session a record is. Error: what is wrong with it.
core::Result<UserId> read_session_record(std::string_view text);

/// The keys of chezz-back's Redis, without the prefix.
std::string game_key(GameId id);
std::string session_key(const std::string& session);

}  // namespace uci::chezz
