#pragma once

#include "uci/json/web/limits.hpp"
#include "uci/server/search_queue.hpp"

namespace uci::json::web {

/// How `parley serve` divides the engine's time among its games.
inline server::SearchQueuePolicy search_policy() {
    server::SearchQueuePolicy policy;
    policy.max_waiting_players = max_waiting_games;
    policy.max_analyses = max_analyses;
    policy.max_jobs_per_client = max_searches_per_client;
    policy.max_analyses_per_client = max_analyses_per_client;
    policy.player_round = player_round;
    policy.analysis_slice = analysis_slice;
    policy.report_interval = report_interval;
    return policy;
}

}  // namespace uci::json::web
