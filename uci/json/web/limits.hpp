#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

// The limits of `parley serve`.
namespace uci::json::web {

/// Games kept at a time.
inline constexpr std::size_t max_games = 100'000;
/// A game without clients is removed when it has been idle for this long,
inline constexpr std::chrono::hours max_idle_time{24};
/// or for this long, when there is no space for a new game; without any move after this much less.
inline constexpr std::chrono::minutes min_idle_time{10};
inline constexpr std::chrono::seconds min_idle_time_without_move{5};
/// New games of one client address: this many at once, and another after each interval.
inline constexpr int max_new_games = 60;
inline constexpr std::chrono::milliseconds new_game_interval{2'000};
/// A stored game without clients leaves memory when it has been idle for this long.
inline constexpr std::chrono::minutes max_idle_time_in_memory{10};
/// How often idle games are removed.
inline constexpr std::chrono::minutes sweep_interval{1};
/// A stored game that clients use without changing it is stored again after this long, so that it
/// does not expire; at each removal of idle games so many at most.
inline constexpr std::chrono::minutes renewal_interval{60};
inline constexpr std::size_t max_renewals = 1'000;
/// Bytes of the messages of one client, or of all HTTP requests of a game, that wait while the game
/// is being stored; and how many messages.
inline constexpr std::size_t max_waiting_bytes = 65'536;
inline constexpr std::size_t max_waiting_messages = 64;
/// Requests that wait for the store, and for how long.
inline constexpr std::size_t max_pending_store_jobs = 10'000;
inline constexpr std::chrono::seconds max_store_wait{2};
/// If the end of a game by its clock cannot be stored, it is tried again after this long.
inline constexpr std::chrono::seconds flag_retry_interval{1};
/// A server that has not renewed its lease for this long is taken for dead by the others. It renews
/// it at each store_cleanup_interval.
inline constexpr std::chrono::milliseconds server_lease{3'500};
/// Another server's search for a move is taken over after this long, even if that server runs.
inline constexpr std::chrono::minutes max_foreign_search{2};
/// Games that are read again at a time because another server may have changed them.
inline constexpr std::size_t max_refreshes = 32;
/// How often the store removes what has expired.
inline constexpr std::chrono::seconds store_cleanup_interval{1};

/// WebSockets in one game.
inline constexpr std::size_t max_participants = 100;
/// Requests of one client, or of all HTTP requests of a game, that wait while the engine searches
/// for a move in that game.
inline constexpr std::size_t max_pending_requests = 16;
/// Hints and explanations that one client, or all HTTP requests of a game, wait for.
inline constexpr std::size_t max_hints = 4;
/// The engine's time for an explanation.
inline constexpr std::chrono::milliseconds max_explanation_time{10'000};

/// Positions in one message.
inline constexpr std::size_t max_positions = 400;

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
/// The lines of an analysis.
inline constexpr int max_analysis_lines = 5;
/// The time between two reports of an analysis.
inline constexpr std::chrono::milliseconds report_interval{150};

/// The review of a game: the longest one, nodes for each position, bytes of the reviews that are
/// kept, and bytes of a player's name.
inline constexpr std::size_t max_review_plies = 600;
inline constexpr std::uint64_t review_nodes = 100'000;
inline constexpr std::size_t max_review_bytes = std::size_t{128} << 20;
inline constexpr std::size_t max_player_name = 60;
/// The time between two reports of how far a review is.
inline constexpr std::chrono::milliseconds review_report_interval{200};

/// Searches of one client address, waiting and running, and beside them its analyses.
inline constexpr std::size_t max_searches_per_client = 20;
inline constexpr std::size_t max_analyses_per_client = 10;

/// Connections at a time, WebSockets included; those of one client address.
inline constexpr std::size_t max_connections = 4'000;
inline constexpr std::size_t max_connections_per_client = 200;
/// Bytes of a request body or WebSocket message. Beyond that the connection is closed; messages
/// of more than max_message_size are answered with a failure.
inline constexpr std::size_t max_input_size = 32'768;

}  // namespace uci::json::web
