#pragma once

#include <cstdint>
#include <vector>

#include "core/position.hpp"

namespace tools::perft {

/// What may be spent on counting.
struct Resources {
    int threads = 1;
    int hash_megabytes = 0;  ///< shared out among the threads; 0 counts without a table
};

/// A legal move and the number of leaves below it.
struct MoveCount {
    core::Move move{};
    std::uint64_t leaves = 0;
};

/// The leaves of a tree of this depth, at least 1, for each legal move.
std::vector<MoveCount> divide(const core::Position& position,
                              int depth,
                              const Resources& resources);

/// The leaves of a tree of this depth.
std::uint64_t count_leaves(const core::Position& position, int depth, const Resources& resources);

}  // namespace tools::perft
