#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "uci/util/secure_random.hpp"

// The numbers of games and users, and the ids of sessions.
namespace uci::chezz {

enum class GameId : std::int64_t {};
enum class UserId : std::int64_t {};

/// The engine as a player. No person has this number.
inline constexpr UserId engine_user{1};

constexpr std::int64_t number(GameId id) {
    return static_cast<std::int64_t>(id);
}
constexpr std::int64_t number(UserId id) {
    return static_cast<std::int64_t>(id);
}

/// Reads a game's number from a URL: a decimal number from 1, leading sign and zeros allowed.
std::optional<GameId> read_game_id(std::string_view text);

/// A new number for a game or a user: a snowflake, whose high bits are the time, so later numbers
/// are larger. Of its 63 bits the upper 31 give the time to about a second. The lower 32 are
/// random, so that, unlike chezz-back's, the number cannot be guessed from the time.
std::int64_t snowflake(std::chrono::system_clock::time_point now, std::uint32_t random);

/// The id of a new session, which is its cookie's value.
std::string session_id(const util::Token128& token);

/// Whether a text has the form of a session's id. chezz-back's have 20 characters, Parley's 22.
bool is_session_id(std::string_view text);

}  // namespace uci::chezz
