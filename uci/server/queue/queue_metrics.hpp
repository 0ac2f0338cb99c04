#pragma once

#include "uci/server/metrics_writer.hpp"
#include "uci/server/queue/remote_search_queue.hpp"

namespace uci::server::queue {

/// Writes the metrics of a server's queue of workers: what all programs have in it, and what has
/// become of the searches of this one.
void write_queue_metrics(MetricsWriter& metrics,
                         const QueueState& state,
                         const RemoteSearchStatistics& searches);

}  // namespace uci::server::queue
