#pragma once

#include <cstdint>
#include <vector>

#include "core/position.hpp"

namespace tools::perft {

/// Limits for counting.
struct Resources {
    int threads = 1;
    int hash_megabytes = 0;  ///< for all threads together; 0 counts without a table
};

/// A legal move and the number of leaves below it.
struct MoveCount {
    core::Move move{};
    std::uint64_t leaves = 0;
};

/// The number of leaves below each legal move; the depth is at least 1.
std::vector<MoveCount> divide(const core::Position& position,
                              int depth,
                              const Resources& resources);

/// The number of leaves at this depth.
std::uint64_t count_leaves(const core::Position& position, int depth, const Resources& resources);

}  // namespace tools::perft
