#pragma once

#include <optional>
#include <vector>

#include "core/game.hpp"
#include "core/result.hpp"

#include "engine/tablebase/root_ranking.hpp"

namespace engine::tablebase {

/// What the tables say of the position of a game, for a person or a client who asks.
struct PositionReport {
    WdlScore wdl = WdlScore::draw;  ///< if the halfmove clock were 0
    std::optional<int> dtz;         ///< as of Tablebases::probe_dtz(); nothing without a DTZ table
    std::vector<RankedMove> moves;  ///< all legal moves, the best first
};

/// Asks the tables for a position and its moves. The moves take the game's halfmove clock and
/// repetitions into account. Error: why the tables do not know the position.
core::Result<PositionReport> report_on(const Tablebases& tables,
                                       const core::Game& game,
                                       bool fifty_move_rule);

}  // namespace engine::tablebase
