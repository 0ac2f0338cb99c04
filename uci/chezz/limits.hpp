#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace uci::chezz {

/// What clients may take of a server of chezz's games, and how long things are kept: all of it in
/// this one place.
struct Limits {
    // At a time, over the network; what is silent goes first when there are more.
    static constexpr std::size_t connections = 4'000;
    static constexpr std::size_t observers = 100;       ///< of one game; players always come in
    static constexpr std::size_t places_of_user = 16;   ///< in one game; then the oldest goes
    static constexpr std::size_t message = 4'096;       ///< bytes of a WebSocket's message
    static constexpr std::size_t meaningful = 16;       ///< bytes of it that anyone looks at
    static constexpr std::size_t head = 16'384;         ///< bytes of a request's head
    static constexpr std::size_t body = 8'192;          ///< bytes of a request's body
    static constexpr std::size_t unsent = 128 * 1'024;  ///< bytes that wait for a slow client
    static constexpr std::size_t unsent_of_all = 64'000'000;  ///< then a slow one has less
    static constexpr std::size_t waiting_messages = 64;       ///< of one client; others are refused
    static constexpr std::size_t waiting_for_store = 10'000;
    /// For a page to take in one of several messages before it is given the next.
    static constexpr std::chrono::milliseconds between_messages{250};
    static constexpr std::size_t unhurried_messages = 32;  ///< of one client; more go out at once
    /// What did not come to its turn by then is refused: a store that hangs keeps everyone waiting
    /// for that time, and not for all who came before.
    static constexpr std::chrono::seconds longest_wait_for_store{5};
    /// How often a matter is judged anew because another process was faster.
    static constexpr int conflicts = 8;

    // Remembered in memory, the oldest forgotten first: sessions of visitors who have no seat
    // yet, and how much of a game a visitor has seen.
    static constexpr std::size_t visitors = 20'000;
    static constexpr std::size_t views = 20'000;

    // The engine, in milliseconds where it is about time. All games that wait when a round begins
    // share it, so that none waits for longer than the rest of one round and another.
    static constexpr std::size_t waiting_for_engine = 500;
    static constexpr std::chrono::milliseconds engine_round{5'000};
    static constexpr std::chrono::milliseconds shortest_thought{5};
    static constexpr std::int64_t shortest_movetime = 10;
    static constexpr std::int64_t usual_movetime = 500;
    static constexpr std::int64_t longest_movetime = 5'000;

    // In the stores: after the last move, and after the last use; a file keeps what was never used
    // again for a shorter time. What it may hold: then what would expire first makes room.
    static constexpr std::chrono::hours game_in_redis{24};
    static constexpr std::chrono::hours game_in_file{30 * 24};
    static constexpr std::chrono::hours new_game_in_file{7 * 24};
    static constexpr std::chrono::hours session{30 * 24};
    static constexpr std::chrono::hours new_session_in_file{7 * 24};
    static constexpr std::int64_t games_in_file = 1'000'000;
    static constexpr std::int64_t sessions_in_file = 1'000'000;
};

}  // namespace uci::chezz
