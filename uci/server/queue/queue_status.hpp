#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

#include "uci/server/queue/job_streams.hpp"

namespace uci::server::queue {

struct WorkerStatus {
    std::string name;
    std::int64_t threads = 0;
    std::int64_t busy = 0;  ///< threads with a job
    std::int64_t done = 0;  ///< jobs
};

/// The jobs of one priority.
struct PriorityStatus {
    std::int64_t waiting = 0;
    std::int64_t taken = 0;  ///< workers have them
    std::int64_t done = 0;   ///< since the queue was made
    std::optional<std::chrono::milliseconds>
        oldest;  ///< the age of the oldest one that is not done
};

struct QueueStatus {
    std::vector<WorkerStatus> workers;  ///< heard of lately
    std::array<PriorityStatus, 3> priorities;
    std::int64_t dead = 0;

    std::int64_t waiting() const;
    std::int64_t taken() const;
    std::int64_t done() const;
    std::optional<std::chrono::milliseconds> oldest() const;
    std::int64_t threads() const;
    std::int64_t busy() const;
};

/// Reads what a queue does, and its workers that were heard of in that time. A queue that nobody
/// has used yet is empty.
core::Result<QueueStatus> read_status(JobStreams& streams,
                                      std::chrono::milliseconds silence = silence_limit);

/// A job that was put aside.
struct DeadJob {
    std::string entry;
    std::string priority;
    std::string reason;
    std::string producer;
    std::string job;  ///< as write_job() writes it, or whatever it was
};

/// The first jobs of those that were put aside.
core::Result<std::vector<DeadJob>> read_dead(JobStreams& streams, int most);
std::optional<core::Error> delete_dead(JobStreams& streams, const std::vector<DeadJob>& jobs);
/// Queues jobs again and removes them from those that were put aside. Their producers have given
/// them up: the results go to the producer "retry" and expire after an hour.
std::optional<core::Error> retry_dead(JobStreams& streams, const std::vector<DeadJob>& jobs);

}  // namespace uci::server::queue
