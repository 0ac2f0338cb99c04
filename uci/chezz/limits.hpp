#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace uci::chezz {

/// What clients of chezz's server may use, and how long records are kept. README.md explains what
/// happens beyond each limit.
struct Limits {
    // The network. Beyond max_connections the server closes idle connections.
    static constexpr std::size_t max_connections = 4'000;
    static constexpr std::size_t max_connections_per_client = 200;  ///< of one client address
    /// New games of one client address: this many at once, and another after each interval.
    static constexpr int max_new_games = 60;
    static constexpr std::chrono::milliseconds new_game_interval{2'000};
    static constexpr std::size_t max_observers = 100;  ///< of one game; players always join
    static constexpr std::size_t max_connections_of_user = 16;  ///< to one game
    static constexpr std::size_t max_message_bytes = 4'096;     ///< of one WebSocket message
    static constexpr std::size_t max_command_bytes = 16;        ///< of a message that are read
    static constexpr std::size_t max_header_bytes = 16'384;     ///< of an HTTP request
    static constexpr std::size_t max_body_bytes = 8'192;        ///< of an HTTP request
    static constexpr std::size_t max_unsent_bytes = 131'072;    ///< that wait for a slow client
    static constexpr std::size_t max_total_unsent_bytes = 64'000'000;  ///< for all clients
    static constexpr std::size_t max_queued_messages = 64;             ///< of one client

    /// The pause between messages to one client that wait together, so that a page sees each.
    static constexpr std::chrono::milliseconds message_interval{250};
    /// The pause behind a message that nothing waits for: short, so that fast games are not held
    /// up.
    static constexpr std::chrono::milliseconds min_message_interval{10};
    /// Above this number the waiting messages of a client go out without pauses.
    static constexpr std::size_t max_paced_messages = 32;

    // The store.
    static constexpr std::size_t max_pending_store_jobs = 10'000;
    /// From a request or message to the answer that the store fails: less than two seconds.
    static constexpr std::chrono::milliseconds max_store_wait{1'600};
    /// If what the server itself does with a game fails in the store, it is tried again after this
    /// long.
    static constexpr std::chrono::milliseconds store_retry_interval{1'000};
    /// How often an action is retried because another process changed the game first.
    static constexpr int max_conflicts = 8;

    // Kept in memory; the least recently used entry goes first.
    static constexpr std::size_t max_unsaved_sessions = 20'000;  ///< of users without a seat
    /// Pairs of a user and a game, each with the plies that the user has seen.
    static constexpr std::size_t max_plies_seen_entries = 20'000;

    // The engine. All games that wait when a round begins share its time, so none waits longer
    // than the rest of one round and the next.
    static constexpr std::size_t max_waiting_for_engine = 500;
    static constexpr std::size_t max_searches_per_client = 100;  ///< of one client address
    static constexpr std::chrono::milliseconds engine_round{5'000};
    static constexpr std::chrono::milliseconds min_engine_time{5};
    static constexpr std::int64_t min_movetime = 10;  ///< milliseconds
    static constexpr std::int64_t default_movetime = 500;
    static constexpr std::int64_t max_movetime = 5'000;

    // How long the stores keep a record after its last use. A new game without a move and a new
    // session that is never used again expire earlier in a file.
    static constexpr std::chrono::hours redis_game_ttl{24};
    static constexpr std::chrono::hours file_game_ttl{30 * 24};
    static constexpr std::chrono::hours file_new_game_ttl{7 * 24};
    static constexpr std::chrono::hours session_ttl{30 * 24};
    static constexpr std::chrono::hours file_new_session_ttl{7 * 24};
    static constexpr std::int64_t max_file_games = 1'000'000;
    static constexpr std::int64_t max_file_sessions = 1'000'000;
    static constexpr std::int64_t max_memory_games = 100'000;
    static constexpr std::int64_t max_memory_sessions = 100'000;
};

}  // namespace uci::chezz
