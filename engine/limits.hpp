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

/// One player's chess clock. Time may be zero or negative: some clients send that.
struct PlayerClock {
    std::optional<Milliseconds> time;
    Milliseconds increment{0};
};

/// How far one search may go. Whatever is reached first ends it; with nothing set it runs until
/// it is stopped.
struct Limits {
    std::array<PlayerClock, 2> clocks;  ///< White's and Black's
    std::optional<int> moves_to_go;     ///< moves to the next time control
    std::optional<Milliseconds> move_time;
    std::optional<int> depth;  ///< plies
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> soft_nodes;  ///< begin no iteration after these
    std::optional<int> mate;                  ///< stop when a mate in so many moves is proven
    bool infinite = false;                    ///< no answer before a stop
    bool ponder = false;                      ///< no answer before a stop or the ponder hit
    std::vector<std::string> search_moves;    ///< consider only these; empty: all
    TimePoint arrival = std::chrono::steady_clock::now();  ///< when the request was read

    bool has_clock() const { return clocks[0].time || clocks[1].time; }
    /// Whether the search needs nobody to stop it.
    bool ends_by_itself() const {
        return !infinite && !ponder
            && (has_clock() || move_time || depth || nodes || soft_nodes || mate);
    }
};

}  // namespace engine
