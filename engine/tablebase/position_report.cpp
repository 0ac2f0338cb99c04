#include "engine/tablebase/position_report.hpp"

#include <string>
#include <utility>

namespace engine::tablebase {

core::Result<PositionReport> report_on(const Tablebases& tables,
                                       const core::Game& game,
                                       bool fifty_move_rule) {
    const core::Position& position = game.position();
    if (!position.castling_rooks().empty())
        return core::Error{"tables have no positions in which castling is possible"};
    const auto wdl = tables.probe_wdl(position);
    if (!wdl)
        return core::Error{"no table for this position with "
                           + std::to_string(position.pieces().count()) + " men"};
    PositionReport report{*wdl, tables.probe_dtz(position), {}};
    if (auto ranking = rank_root_moves(tables, game, fifty_move_rule))
        report.moves = std::move(ranking->moves);
    return report;
}

}  // namespace engine::tablebase
