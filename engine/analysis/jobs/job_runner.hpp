#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/result.hpp"

#include "engine/analysis/jobs/job.hpp"

namespace engine::jobs {

/// Does many jobs, in this process or elsewhere.
class JobRunner {
public:
    /// Gets the result of the job with that index, in any order, from one thread at a time. False
    /// ends the work.
    using Take = std::function<bool(std::size_t index, JobResult result)>;

    JobRunner() = default;
    virtual ~JobRunner() = default;
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;
    JobRunner(JobRunner&&) = delete;
    JobRunner& operator=(JobRunner&&) = delete;

    /// Returns when all jobs are done, `take` has returned false, or `stop` is set; results that
    /// are not whole because of that are dropped. Error: why a job cannot be done. Throws
    /// std::bad_alloc or std::system_error if the system refuses the memory or the threads.
    virtual std::optional<core::Error> run(const std::vector<Job>& jobs,
                                           const std::atomic<bool>& stop,
                                           const Take& take) = 0;
};

}  // namespace engine::jobs
