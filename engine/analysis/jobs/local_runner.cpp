#include "engine/analysis/jobs/local_runner.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

#include "engine/threading.hpp"

namespace engine::jobs {

namespace {

/// Runs a function in a thread for each worker, this one among them. Throws what one of them has
/// thrown.
void run_in_threads(std::deque<JobWorker>& workers,
                    std::size_t count,
                    const std::function<void(JobWorker&)>& function) {
    std::mutex mutex;
    std::exception_ptr failure;
    const auto guarded = [&](JobWorker& worker) {
        try {
            function(worker);
        }
        catch (...) {
            const std::lock_guard lock{mutex};
            failure = std::current_exception();
        }
    };
    {
        std::deque<Thread> helpers;  // each waits for its end when it is destroyed
        for (std::size_t i = 1; i < count; ++i)
            helpers.emplace_back([&guarded, &worker = workers[i]] { guarded(worker); });
        guarded(workers.front());
    }
    if (failure)
        std::rethrow_exception(failure);
}

/// The size of the largest table that a search of these jobs needs; nothing without a search.
std::optional<std::size_t> largest_table(const std::vector<Job>& jobs) {
    std::optional<std::size_t> largest;
    for (const auto& job : jobs) {
        if (job.kind == JobKind::search)
            largest = std::max(largest.value_or(0), job.megabytes);
    }
    return largest;
}

}  // namespace

std::optional<core::Error> LocalRunner::run(const std::vector<Job>& jobs,
                                            const std::atomic<bool>& stop,
                                            const Take& take) {
    const auto count = std::min(std::max<std::size_t>(at_once_, 1), jobs.size());
    if (count == 0)
        return std::nullopt;
    while (workers_.size() < count)
        workers_.emplace_back(evaluate_, nullptr, threads_each_);
    // All memory is taken here, where a refusal can be reported.
    if (const auto megabytes = largest_table(jobs)) {
        for (std::size_t i = 0; i < count; ++i)
            workers_[i].reserve(*megabytes);
    }
    std::atomic<std::size_t> next{0};
    std::atomic<bool> is_over{false};
    std::mutex mutex;  // guards `take`
    run_in_threads(workers_, count, [&](JobWorker& worker) {
        for (auto i = next++; i < jobs.size() && !stop && !is_over; i = next++) {
            auto result = worker.run(jobs[i], stop);
            const std::lock_guard lock{mutex};
            if (!stop && !is_over && !take(i, std::move(result)))
                is_over = true;
        }
    });
    return std::nullopt;
}

}  // namespace engine::jobs
