#include "uci/server/server_metrics.hpp"

#include <string>

#include <fmt/format.h>

namespace uci::server {

void write_connection_metrics(MetricsWriter& metrics,
                              std::size_t open,
                              std::uint64_t accepted,
                              std::uint64_t refused) {
    metrics.gauge("parley_connections", "Connections that are open.", static_cast<double>(open));
    metrics.counter("parley_connections_accepted_total", "Connections accepted.", accepted);
    metrics.counter("parley_connections_refused_total",
                    "Connections closed at once, because of a limit.", refused);
}

void write_http_metrics(MetricsWriter& metrics, const net::HttpServer& server) {
    const auto& statistics = server.statistics();
    write_connection_metrics(metrics, server.count_connections(), statistics.connections,
                             statistics.refused_connections);
    metrics.gauge("parley_websockets", "WebSockets that are open.",
                  static_cast<double>(statistics.websockets));
    metrics.begin("parley_http_requests_total", "counter",
                  "HTTP requests by the status of their response; 101 is a WebSocket.");
    for (const auto& [status, count] : statistics.responses)
        metrics.sample(static_cast<double>(count), {{"status", std::to_string(status)}});
}

void write_game_metrics(MetricsWriter& metrics, const GameLog& games, std::size_t open) {
    metrics.gauge("parley_games", "Games in the server's memory.", static_cast<double>(open));
    metrics.counter("parley_games_begun_total", "Games begun.", games.count_begun());
    metrics.counter("parley_games_ended_total", "Games that were played to their end.",
                    games.count_ended());
}

void write_search_metrics(MetricsWriter& metrics, const SearchStatistics& searches) {
    metrics.gauge("parley_searches_running", "Searches that the engine runs now.",
                  static_cast<double>(searches.running));
    metrics.begin("parley_searches_waiting", "gauge", "Searches that wait for the engine.");
    metrics.sample(static_cast<double>(searches.waiting_players), {{"priority", "player"}});
    metrics.sample(static_cast<double>(searches.waiting_analyses), {{"priority", "analysis"}});
    metrics.counter("parley_searches_total", "Searches accepted.", searches.submitted);
    metrics.counter("parley_searches_refused_total", "Searches refused, because of a limit.",
                    searches.refused);
    metrics.counter("parley_search_nodes_total", "Nodes searched.", searches.nodes);
}

void write_store_metrics(MetricsWriter& metrics, const store::AsyncStore& store) {
    const auto& statistics = store.statistics();
    const auto& latency = statistics.latency;
    constexpr auto& bounds = util::LatencyHistogram::bounds;
    metrics.gauge("parley_store_pending", "Requests that wait for the store of games.",
                  static_cast<double>(store.count_pending()));
    metrics.counter("parley_store_errors_total", "Requests to the store that failed.",
                    statistics.errors);
    metrics.begin("parley_store_seconds", "histogram",
                  "Time from a request to the store until its answer.");
    for (std::size_t i = 0; i < bounds.size(); ++i)
        metrics.sample(static_cast<double>(latency.count_up_to(i)),
                       {{"le", fmt::format("{}", bounds[i])}}, "_bucket");
    const auto count = static_cast<double>(latency.count());
    metrics.sample(count, {{"le", "+Inf"}}, "_bucket");
    metrics.sample(latency.sum_in_seconds(), {}, "_sum");
    metrics.sample(count, {}, "_count");
}

}  // namespace uci::server
