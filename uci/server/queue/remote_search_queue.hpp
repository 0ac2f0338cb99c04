#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "uci/server/local_search_queue.hpp"
#include "uci/server/queue/job_producer.hpp"
#include "uci/server/queue/search_jobs.hpp"
#include "uci/util/log_throttle.hpp"

namespace uci::server::queue {

/// How a server uses its queue of workers.
struct RemoteSearchSettings {
    SearchQueuePolicy policy{};
    SearchJobSettings jobs{};
    std::string queue_name{};  ///< for the log
    /// A search that no worker has begun after this time is done in this process.
    std::chrono::milliseconds player_patience{1'000};
    std::chrono::milliseconds analysis_patience{10'000};
    /// A search that is to end now and has not after this time.
    std::chrono::milliseconds stop_patience{1'500};
};

/// What a RemoteSearchQueue has done since its beginning.
struct RemoteSearchStatistics {
    std::uint64_t by_workers = 0;       ///< searches whose result has come from a worker
    std::uint64_t in_this_process = 0;  ///< searches that no worker has done
};

/// The searches of a server by workers elsewhere. Without a queue, without workers, or if no worker
/// begins a search in time, it is done in this process, by the LocalSearchQueue; it must have no
/// limits of its own. Belongs to the thread of that one.
class RemoteSearchQueue : public SearchQueue {
public:
    /// `wake_at` sets the timer that calls wake().
    RemoteSearchQueue(LocalSearchQueue& local,
                      JobProducer& producer,
                      RemoteSearchSettings settings,
                      WakeAt wake_at);

    std::optional<JobId> submit(SearchJob job, Done done, Report report = nullptr) override;
    void cancel(JobId id) override;
    void stop(JobId id) override;
    bool is_full(Priority priority,
                 const std::string& client = {},
                 Quota quota = Quota::searches) const override;
    SearchStatistics statistics() const override;

    const RemoteSearchStatistics& remote_statistics() const { return remote_totals_; }
    const QueueState& state() const { return state_; }

    /// Takes what the producer has heard.
    void handle(JobEvent event);
    void handle(QueueState state);
    /// Does in this process what has waited too long.
    void wake();

private:
    struct Entry {
        SearchJob job;
        Done done;
        Report report;
        std::optional<JobId> local{};  ///< its id in the local queue; without one it is elsewhere
        bool has_begun = false;        ///< elsewhere
        bool is_stopped = false;
        int silences = 0;             ///< of workers that had it
        std::optional<Time> until{};  ///< if it is elsewhere then, it is done here
        int reported_depth = 0;
    };
    using Entries = std::map<JobId, Entry>;
    using Place = Entries::iterator;

    void send(Place place);
    void search_here(Place place);
    void take_back(Place place);
    void take_all_back(const std::string& reason);
    void give_up(Place place, const std::string& reason);
    void retry_elsewhere(Place place);
    void finish(Place place, const SearchResult& result);
    void report(JobId id, const std::vector<engine::Info>& pvs);
    void share_time(engine::Limits& limits) const;
    std::size_t count_remote(Priority priority) const;
    std::size_t count(Priority priority) const;
    std::size_t threads() const;
    void log_failure(const std::string& text);
    void set_timer();

    LocalSearchQueue& local_;
    JobProducer& producer_;
    RemoteSearchSettings settings_;
    WakeAt wake_at_;
    bool is_timer_set_ = false;
    QueueState state_;
    bool is_state_known_ = false;
    Entries entries_;
    JobId last_id_ = 0;
    SearchStatistics totals_;
    RemoteSearchStatistics remote_totals_;
    util::LogThrottle throttle_;
};

}  // namespace uci::server::queue
