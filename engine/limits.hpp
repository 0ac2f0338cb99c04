#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

using Milliseconds = std::chrono::milliseconds;
using TimePoint = std::chrono::steady_clock::time_point;

/// The time that has passed since then.
inline Milliseconds since(TimePoint start) {
    return std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - start);
}

/// One player's chess clock. Time may be zero or negative: some clients send that.
struct PlayerClock {
    std::optional<Milliseconds> time;
    Milliseconds increment{0};
};

/// The limits of one search. The first one that is reached ends it; without any it runs until it
/// is stopped.
struct Limits {
    std::array<PlayerClock, 2> clocks;     ///< White's and Black's
    std::optional<int> movestogo;          ///< moves to the next time control
    std::optional<Milliseconds> movetime;  ///< for this move, in the place of a clock
    std::optional<int> depth;              ///< plies
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> soft_nodes;  ///< start no iteration after this many
    std::optional<int> mate;                  ///< stop when a mate in this many moves is proven
    bool infinite = false;                    ///< no best move before a stop
    bool ponder = false;                      ///< no best move before a stop or a ponder hit
    bool analysis = false;                    ///< full strength, and no move from a book
    std::optional<int> elo;                ///< of a player of limited strength: min_elo to max_elo
    std::vector<std::string> searchmoves;  ///< the only root moves to search; empty: all
    TimePoint arrival = std::chrono::steady_clock::now();  ///< when the command was read

    bool has_clock() const { return clocks[0].time || clocks[1].time; }
    /// Whether the search ends without a stop.
    bool ends_by_itself() const {
        return !infinite && !ponder
            && (has_clock() || movetime || depth || nodes || soft_nodes || mate);
    }
};

}  // namespace engine
