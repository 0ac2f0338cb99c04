#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/result.hpp"

#include "engine/evaluate/evaluate.hpp"
#include "engine/tablebase/tablebases.hpp"

#include "uci/server/queue/job_streams.hpp"

namespace uci::server::queue {

struct WorkerSettings {
    store::RedisAddress address;
    int threads = 1;                      ///< jobs at the same time
    std::size_t most_megabytes = 256;     ///< of the table of each; larger jobs are refused
    std::chrono::seconds drain_time{10};  ///< after a stop, before running jobs are given back
    std::shared_ptr<const engine::tablebase::Tablebases> tablebases{};
};

/// Takes jobs from Redis and answers them until it is stopped. While Redis cannot be reached it
/// tries again.
class Worker {
public:
    explicit Worker(WorkerSettings settings);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    Worker(Worker&&) = delete;
    Worker& operator=(Worker&&) = delete;

    /// Returns when `stop` is set and the jobs that had begun are done or given back. Throws
    /// std::system_error if the system refuses the threads.
    void run(const std::atomic<bool>& stop);

private:
    class Slot;

    /// Logs a failure once, until something works again. From any thread.
    class Trouble {
    public:
        void report(const core::Error& error);
        void clear() { is_reported_ = false; }

    private:
        std::atomic<bool> is_reported_{false};  // clear() is called after each batch of jobs
        std::mutex mutex_;                      ///< guards what follows
        std::string last_;
    };

    void keep_jobs(JobStreams& streams);
    std::string description(std::size_t busy) const;

    WorkerSettings settings_;
    const std::string name_;
    const QueueKeys keys_;
    engine::evaluate::Evaluate evaluate_;
    mutable Trouble trouble_;
    std::atomic<bool> is_ending_{false};
    std::vector<std::unique_ptr<Slot>> slots_;
    std::chrono::steady_clock::time_point next_cleaning_;
};

}  // namespace uci::server::queue
