#pragma once

#include <cstddef>

#include "uci/net/http_server.hpp"
#include "uci/server/game_log.hpp"
#include "uci/server/metrics_writer.hpp"
#include "uci/server/search_queue.hpp"
#include "uci/store/async_store.hpp"

// The metrics that servers have in common.
namespace uci::server {

void write_http_metrics(MetricsWriter& metrics, const net::HttpServer& server);
void write_connection_metrics(MetricsWriter& metrics,
                              std::size_t open,
                              std::uint64_t accepted,
                              std::uint64_t refused);
/// `open` is how many games the server holds now.
void write_game_metrics(MetricsWriter& metrics, const GameLog& games, std::size_t open);
void write_search_metrics(MetricsWriter& metrics, const SearchStatistics& searches);
void write_store_metrics(MetricsWriter& metrics, const store::AsyncStore& store);

}  // namespace uci::server
