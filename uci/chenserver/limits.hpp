#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

// What clients of a ChenServer may use, all in one place.
namespace uci::chenserver {

/// Games with a name. A game that nobody has used for `idle_ttl` may be removed for a new one; a
/// game without moves after `idle_ttl_without_move`.
inline constexpr std::size_t max_games = 100'000;
inline constexpr std::chrono::hours idle_ttl{24};
inline constexpr std::chrono::seconds idle_ttl_without_move{5};
/// Plies of a game, and of all games with a name, so that they need at most about 400 MB.
inline constexpr std::size_t max_plies = 20'000;
inline constexpr std::size_t max_plies_of_all = 20'000'000;
/// Of the games that clients of one address have begun; those from this machine are not limited.
inline constexpr std::size_t max_games_of_client = 10'000;
inline constexpr std::size_t max_plies_of_client = 2'000'000;
/// Characters of a game's name.
inline constexpr std::size_t max_name_length = 64;

/// Milliseconds of one `think` or `hint`.
inline constexpr std::int64_t max_think_time = 300'000;
/// While several games think, each has the engine for its part of this time, turn by turn.
inline constexpr std::chrono::milliseconds think_round{1'000};
inline constexpr std::chrono::milliseconds min_think_slice{50};
/// Searches that wait for the engine: more than there can be clients.
inline constexpr std::size_t max_waiting_searches = 2'000;
/// Of one client address; those from this machine are not limited.
inline constexpr std::size_t max_searches_per_client = 50;

/// On standard input: bytes of a line, and lines that wait for their answer before the next is
/// read.
inline constexpr std::size_t max_stdin_line = 1'048'576;
inline constexpr std::size_t max_unanswered_lines = 64;

/// Connections over TCP. Beyond them the oldest that has not sent a whole command is closed.
inline constexpr std::size_t max_connections = 900;
/// Connections of one client address; those from this machine are not limited.
inline constexpr std::size_t max_connections_per_client = 100;
/// Bytes of a command over TCP, or of the head of an HTTP request.
inline constexpr std::size_t max_input = 65'536;
/// Bytes that a client may send behind its command.
inline constexpr std::size_t max_ignored_input = 33'554'432;
/// How long a connection may take to send its command, to take its answer, and to close.
inline constexpr std::chrono::milliseconds read_timeout{60'000};
inline constexpr std::chrono::milliseconds write_timeout{10'000};
inline constexpr std::chrono::milliseconds close_timeout{1'000};

}  // namespace uci::chenserver
