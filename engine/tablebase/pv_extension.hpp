#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "core/game.hpp"

#include "engine/tablebase/root_ranking.hpp"

namespace engine::tablebase {

/// Continues a principal variation of a won or lost game to mate, or until `deadline`. Its moves
/// are kept as long as they hold the result by the tables; from there on, or from its end, the
/// winner zeroes the halfmove clock as soon as possible and the loser as late as possible.
std::vector<core::Move> extend_pv(const Tablebases& tables,
                                  core::Game game,
                                  std::span<const core::Move> pv,
                                  bool fifty_move_rule,
                                  std::chrono::steady_clock::time_point deadline);

}  // namespace engine::tablebase
