#pragma once

#include <deque>

#include "engine/analysis/jobs/job_runner.hpp"
#include "engine/analysis/jobs/job_worker.hpp"

namespace engine::jobs {

/// Does jobs in threads of this process, several at the same time.
class LocalRunner : public JobRunner {
public:
    /// So many jobs at the same time, each with so many search threads. Nothing is allocated before
    /// the first run().
    explicit LocalRunner(std::size_t at_once, int threads_each = 1)
        : at_once_{at_once},
          threads_each_{threads_each} {}

    std::optional<core::Error> run(const std::vector<Job>& jobs,
                                   const std::atomic<bool>& stop,
                                   const Take& take) override;

private:
    std::size_t at_once_;
    int threads_each_;
    evaluate::Evaluate evaluate_;
    std::deque<JobWorker> workers_;
};

}  // namespace engine::jobs
