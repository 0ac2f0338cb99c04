#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/analysis/jobs/job.hpp"

#include "uci/server/queue/job_streams.hpp"
#include "uci/server/queue/queue_status.hpp"

namespace uci::server::queue {

/// What happens to a job in a queue.
struct JobEvent {
    enum class Kind : unsigned char {
        begun,    ///< a worker has it
        silent,   ///< the worker that has it gives no sign of life any more
        report,   ///< `pvs`
        done,     ///< `result`
        refused,  ///< `reason`: it could not be added, no worker can do it, Redis has lost it ...
        failed    ///< `reason`: it was put aside
    };
    Kind kind = Kind::begun;
    std::uint64_t job = 0;
    std::string reason{};
    engine::jobs::JobResult result{};
    std::vector<engine::Info> pvs{};
};

/// What a producer knows of its queue.
struct QueueState {
    bool is_reachable = false;
    std::string reason{};  ///< why it is not
    QueueStatus status{};
    std::chrono::steady_clock::time_point time{};  ///< of the status

    /// Whether somebody does jobs.
    bool has_workers() const { return is_reachable && status.threads() > 0; }
};

/// The producer's end of a queue for a thread that must not wait: all calls return at once, and
/// what comes of them are JobEvents.
class JobProducer {
public:
    JobProducer() = default;
    virtual ~JobProducer() = default;
    JobProducer(const JobProducer&) = delete;
    JobProducer& operator=(const JobProducer&) = delete;
    JobProducer(JobProducer&&) = delete;
    JobProducer& operator=(JobProducer&&) = delete;

    /// Adds a job. Its id may be used again when it was withdrawn.
    virtual void add(std::uint64_t id, JobPriority priority, engine::jobs::Job job) = 0;
    /// Removes a job if it is in the queue still; a worker that has begun it drops it. No event
    /// that comes later counts.
    virtual void withdraw(std::uint64_t id) = 0;
    /// Asks the worker to end a job with what it has found.
    virtual void stop(std::uint64_t id) = 0;
    /// Withdraws a job that nobody should try again.
    virtual void put_aside(std::uint64_t id, std::string reason) = 0;
};

}  // namespace uci::server::queue
