#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "engine/analysis/jobs/job.hpp"
#include "engine/evaluate/evaluate.hpp"
#include "engine/search/search.hpp"
#include "engine/tablebase/tablebases.hpp"

namespace engine::jobs {

/// Whether a job finds what earlier ones have left in the transposition table.
enum class TableUse : unsigned char { cleared, kept };

/// Does one job after the other. Belongs to one thread.
class JobWorker {
public:
    /// Gets the pvs after each iteration, the best first, with normalised scores.
    using Report = std::function<void(const std::vector<Info>& pvs)>;

    /// The evaluation and the tables, which may be null, must outlive this object. Nothing is
    /// allocated before the first search.
    JobWorker(const evaluate::Evaluate& evaluate,
              const tablebase::Tablebases* tables,
              int threads = 1,
              TableUse table_use = TableUse::cleared)
        : evaluate_{evaluate},
          tables_{tables},
          threads_{threads},
          table_use_{table_use} {}

    /// Takes the memory and the threads for a search, so that a refusal comes early. Throws
    /// std::bad_alloc.
    void reserve(std::size_t megabytes);
    /// Ends early, with the best move found so far, when `stop` is set. Throws as reserve().
    JobResult run(const Job& job, const std::atomic<bool>& stop, const Report& report = nullptr);

private:
    JobResult search(const Job& job, const std::atomic<bool>& stop, const Report& report);

    const evaluate::Evaluate& evaluate_;
    const tablebase::Tablebases* tables_;
    int threads_;
    TableUse table_use_;
    std::unique_ptr<search::Search> search_;
    std::size_t megabytes_ = 0;
};

}  // namespace engine::jobs
