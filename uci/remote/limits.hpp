#pragma once

#include <chrono>
#include <cstddef>

// What remote clients may use, beside what the options of `parley listen` say.
namespace uci::remote {

/// Bytes of a line. A longer one ends the connection.
inline constexpr std::size_t max_line = 1'048'576;
/// Bytes of lines that the engine has not taken yet; more end the connection.
inline constexpr std::size_t max_unread_input = 4 * max_line;
/// Bytes of commands that wait in the engine for the end of a search; more end the search.
inline constexpr std::size_t max_waiting_bytes = 4 * max_line;
/// Bytes that wait for a client to read them; beyond it `info` lines are dropped.
inline constexpr std::size_t max_unsent = 262'144;
/// Connections that have not become sessions. Beyond it the oldest is closed.
inline constexpr std::size_t max_waiting_connections = 64;
/// How long a connection may wait before it begins a session.
inline constexpr std::chrono::seconds greeting_timeout{30};
/// A client that has read nothing for so long, while something waits for it, is gone.
inline constexpr std::chrono::seconds write_timeout{60};
/// After this much silence TCP asks whether the client is still there.
inline constexpr std::chrono::seconds keep_alive_after{30};
/// How long a client without the token waits for the end of its connection.
inline constexpr std::chrono::seconds refusal_delay{1};
/// For the last line to reach a client before its connection ends.
inline constexpr std::chrono::milliseconds farewell_delay{100};
/// Wrong tokens of one address.
inline constexpr std::size_t max_wrong_tokens = 5;
inline constexpr std::chrono::minutes wrong_token_period{1};

}  // namespace uci::remote
