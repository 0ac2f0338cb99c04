#pragma once

#include <optional>
#include <vector>

#include "core/game.hpp"

#include "engine/tablebase/tablebases.hpp"

namespace engine::tablebase {

/// A root move with its result and rank by the tables.
struct RankedMove {
    core::Move move{};
    int rank = 0;                       ///< the higher the better; equal ranks are equally good
    WdlScore outcome = WdlScore::draw;  ///< with the halfmove clock and the fifty-move rule, if on
    std::optional<int> dtz;  ///< plies to zeroing, the move included; for the side to move
};

/// All legal moves of a root, the best first.
struct RootRanking {
    std::vector<RankedMove> moves;
    /// Whether DTZ tables made it. They take the halfmove clock and repetitions into account, so
    /// that playing a best move again and again wins. With WDL alone there is no such guarantee.
    bool by_dtz = false;
};

/// Ranks the moves of a game's position by the tables. All moves that certainly win before the
/// fifty-move rule draws have the same rank; after a repetition, faster wins rank higher. Nothing
/// if a table is missing or the game has no legal move.
std::optional<RootRanking> rank_root_moves(const Tablebases& tables,
                                           const core::Game& game,
                                           bool fifty_move_rule);

}  // namespace engine::tablebase
