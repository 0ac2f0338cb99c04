#pragma once

#include <vector>

#include "core/game.hpp"
#include "core/zobrist.hpp"

#include "engine/strength_level.hpp"
#include "engine/tablebase/tablebases.hpp"

namespace engine::search {

class PositionSample;

/// The endgame tables lent to a search, and how it may use them.
struct TablebaseUse {
    const tablebase::Tablebases* tables = nullptr;  ///< null if there are none
    int probe_depth = 1;          ///< least depth to probe positions with `probe_limit` men
    int probe_limit = 7;          ///< most men of positions to probe
    bool fifty_move_rule = true;  ///< whether cursed wins are draws
};

/// What to search; the same for all threads.
struct SearchRequest {
    const core::Game& game;
    std::vector<core::Move> root_moves;  ///< the legal moves to consider, at least one
    int multipv = 1;
    core::Key salt = 0;  ///< of the game: SetGame::salt
    TablebaseUse tablebases = {};
    LeafNoise noise = {};     ///< on evaluations; with noise, the salt must be that of the level
    bool one_thread = false;  ///< whatever the number of threads: the result is the same each time
    /// Is offered the positions that the search evaluates, those after null moves too; null: none
    /// is wanted. Needs one thread.
    PositionSample* evaluated = nullptr;
};

}  // namespace engine::search
