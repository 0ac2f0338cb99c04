#pragma once

#include <chrono>
#include <cstddef>

// The limits of `parley serve`.
namespace uci::json::web {

/// Games kept at a time.
inline constexpr std::size_t max_games = 5'000;
/// A game without clients is removed when it has been idle for this long,
inline constexpr std::chrono::hours max_idle_time{24};
/// or for this long, when there is no space for a new game.
inline constexpr std::chrono::minutes min_idle_time{10};
/// How often idle games are removed.
inline constexpr std::chrono::minutes sweep_interval{1};

/// WebSockets in one game.
inline constexpr std::size_t max_participants = 100;
/// Requests of one game that wait while the engine searches for it.
inline constexpr std::size_t max_pending_requests = 16;

/// Searches that wait for the engine, one for each game.
inline constexpr std::size_t max_waiting_games = 100;
/// Games that wait share this time: each of two games has at most two seconds, each of more games
/// less, whatever their limits allow.
inline constexpr std::chrono::milliseconds player_round{4'000};

/// Analyses at a time. They have the time that no request needs.
inline constexpr std::size_t max_analyses = 100;
/// The time of one analysis before the next, when there are several.
inline constexpr std::chrono::milliseconds analysis_slice{1'000};
/// The engine's time for the analysis of one position.
inline constexpr std::chrono::milliseconds max_analysis_time{30'000};
/// The time between two reports of an analysis.
inline constexpr std::chrono::milliseconds report_interval{150};

/// Connections at a time, WebSockets included.
inline constexpr std::size_t max_connections = 2'000;
/// Bytes of a request body or WebSocket message. Beyond that the connection is closed; messages
/// of more than max_message_size are answered with a failure.
inline constexpr std::size_t max_input_size = 16'384;

}  // namespace uci::json::web
