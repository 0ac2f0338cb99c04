#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "engine/analysis/jobs/local_runner.hpp"

#include "uci/server/queue/job_streams.hpp"

namespace uci::server::queue {

struct RemoteSettings {
    store::RedisAddress address;
    JobPriority priority = JobPriority::bulk;
    std::size_t window = 1'024;     ///< most jobs in the queue at a time
    std::size_t local_threads = 1;  ///< for jobs that no worker does
    /// Gets a sentence when the work goes on in this process, and when it is in the queue again.
    std::function<void(const std::string& message)> notice{};
};

/// Does jobs through a queue. Where Redis or all workers are silent, it does them in this process,
/// until they are there again. A job counts when its result is there, so none is lost with a worker
/// or with Redis's data, and none counts twice.
class RemoteRunner : public engine::jobs::JobRunner {
public:
    explicit RemoteRunner(RemoteSettings settings);

    /// Error: a job was put aside, because workers have died over it or cannot read it.
    std::optional<core::Error> run(const std::vector<engine::jobs::Job>& jobs,
                                   const std::atomic<bool>& stop,
                                   const Take& take) override;

private:
    class Run;

    RemoteSettings settings_;
    const QueueKeys keys_;
    engine::jobs::LocalRunner local_;
    bool is_silent_ = false;  ///< whether the last jobs were done in this process
};

}  // namespace uci::server::queue
