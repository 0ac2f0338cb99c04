#pragma once

#include <chrono>
#include <cstddef>

// What the clients of `parley serve` may take of it, all in one place.
namespace uci::net::play {

/// Games that are kept at a time.
inline constexpr std::size_t most_games = 5'000;
/// A game that nobody touches and nobody looks at is forgotten after this;
inline constexpr std::chrono::hours longest_rest{24};
/// or after this, when there are too many to begin a new one.
inline constexpr std::chrono::minutes shortest_rest{10};
/// How often is looked for such games.
inline constexpr std::chrono::minutes between_sweeps{1};

/// WebSockets in one game.
inline constexpr std::size_t most_participants = 100;
/// Requests of one game that wait while the engine thinks about it.
inline constexpr std::size_t most_waiting_requests = 16;

/// Games that wait for the engine at a time, each with one request.
inline constexpr std::size_t most_waiting_games = 100;
/// A search that other games wait for ends after this, whatever it was allowed.
inline constexpr std::chrono::milliseconds longest_turn{2'000};

/// Games that are analysed at a time. Analysis has the time that no request needs.
inline constexpr std::size_t most_analyses = 100;
/// So long one of them is analysed before the next, when there are several.
inline constexpr std::chrono::milliseconds analysis_turn{1'000};
/// And so long one position is analysed altogether, from when someone wanted to know of it.
inline constexpr std::chrono::milliseconds longest_analysis{30'000};
/// Between two things that are told of an analysis.
inline constexpr std::chrono::milliseconds between_reports{150};

/// Connections at a time, WebSockets included.
inline constexpr std::size_t most_connections = 2'000;
/// A message of more than 4,096 bytes is answered by a failure, one beyond these ends the
/// connection.
inline constexpr std::size_t longest_input = 16'384;

}  // namespace uci::net::play
