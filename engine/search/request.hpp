#pragma once

#include <vector>

#include "core/game.hpp"
#include "core/zobrist.hpp"

namespace engine::search {

/// What to search; the same for all threads.
struct SearchRequest {
    const core::Game& game;
    std::vector<core::Move> root_moves;  ///< the legal moves to consider, at least one
    int multi_pv = 1;
    /// Of the game. Searches with different salts share no TT entry, and a search with another salt than the
    /// last one forgets the histories.
    core::Key salt = 0;
};

}  // namespace engine::search
