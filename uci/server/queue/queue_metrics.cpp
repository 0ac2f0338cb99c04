#include "uci/server/queue/queue_metrics.hpp"

#include <chrono>

namespace uci::server::queue {

namespace {

/// A sample for each priority.
template <typename Value>
void write_priorities(MetricsWriter& metrics, const QueueStatus& status, Value value) {
    for (std::size_t i = 0; i < status.priorities.size(); ++i)
        metrics.sample(static_cast<double>(value(status.priorities.at(i))),
                       {{"priority", priority_names.at(i)}});
}

/// The age of the oldest job, now.
double oldest_in_seconds(const QueueState& state) {
    const auto oldest = state.status.oldest();
    if (!oldest)
        return 0;
    const std::chrono::duration<double> age =
        *oldest + (std::chrono::steady_clock::now() - state.time);
    return age.count();
}

}  // namespace

void write_queue_metrics(MetricsWriter& metrics,
                         const QueueState& state,
                         const RemoteSearchStatistics& searches) {
    const auto& status = state.status;
    metrics.gauge("parley_queue_up", "Whether Redis answers.", state.is_reachable ? 1 : 0);
    metrics.gauge("parley_queue_workers", "Workers of the queue.",
                  static_cast<double>(status.workers.size()));
    metrics.gauge("parley_queue_worker_threads", "Jobs that they can do at the same time.",
                  static_cast<double>(status.threads()));
    metrics.begin("parley_queue_jobs_waiting", "gauge",
                  "Jobs of all programs that no worker has begun.");
    write_priorities(metrics, status, [](const auto& of) { return of.waiting; });
    metrics.begin("parley_queue_jobs_running", "gauge", "Jobs of all programs that workers have.");
    write_priorities(metrics, status, [](const auto& of) { return of.taken; });
    metrics.begin("parley_queue_jobs_done_total", "counter",
                  "Jobs of all programs that workers have done.");
    write_priorities(metrics, status, [](const auto& of) { return of.done; });
    metrics.gauge("parley_queue_jobs_dead", "Jobs of all programs that were put aside.",
                  static_cast<double>(status.dead));
    metrics.gauge("parley_queue_oldest_job_seconds",
                  "Age of the oldest job that is not done; 0 without one.",
                  oldest_in_seconds(state));
    metrics.begin("parley_queue_searches_total", "counter",
                  "Searches of this server, by who has done them.");
    metrics.sample(static_cast<double>(searches.by_workers), {{"by", "worker"}});
    metrics.sample(static_cast<double>(searches.in_this_process), {{"by", "fallback"}});
}

}  // namespace uci::server::queue
