#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/perft_board.hpp"

namespace core {

/// A way to count the legal moves of a position, which is nearly all that perft does: 30 times for
/// each move that it plays.
struct LeafCounter {
    using Count = int (*)(const PerftBoard& board);

    const char* name;
    std::array<Count, 2> count;  ///< for White to move, for Black to move
};

/// The counters that this processor can run, the fastest first; the last one runs everywhere.
[[nodiscard]] std::span<const LeafCounter* const> runnable_leaf_counters();

}  // namespace core
