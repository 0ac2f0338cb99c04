#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Who and which: the numbers of games and people, and the secret by which a person is known
// again.
namespace uci::chezz {

enum class GameId : std::int64_t {};
enum class UserId : std::int64_t {};

/// The one who plays when the engine does. Nobody else has this number.
inline constexpr UserId engine_user{1};

constexpr std::int64_t number(GameId id) {
    return static_cast<std::int64_t>(id);
}
constexpr std::int64_t number(UserId id) {
    return static_cast<std::int64_t>(id);
}

/// A game's number as it stands in an address: decimal, with a sign or zeros in front if someone
/// likes to write them; nothing when it is not 1 or more.
std::optional<GameId> read_game_id(std::string_view text);

/// A new number for a game or a person. Like chezz's it is a snowflake, whose high bits are the
/// time, so that younger numbers are larger. Unlike chezz's it cannot be guessed from the time:
/// of its 63 bits the upper 31 say it to about a second, and the lower 32 are chance.
std::int64_t snowflake(std::chrono::system_clock::time_point now, std::uint32_t chance);

/// 128 bits that nobody can foresee.
using Secret = std::array<std::uint8_t, 16>;

/// The text of a new session's cookie.
std::string session_id(const Secret& secret);

/// Whether a text may be a session's: chezz-back's have 20 letters, ours 22.
bool is_session_id(std::string_view text);

}  // namespace uci::chezz
