#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "engine/analysis/epd/task.hpp"
#include "engine/analysis/jobs/local_runner.hpp"

namespace engine::epd {

struct SuiteRules {
    Limits limits;            ///< of each position
    int threads = 1;          ///< for each position
    int megabytes = 16;       ///< of the transposition table, for each position
    std::size_t at_once = 1;  ///< positions that are searched at the same time
};

/// Searches the positions of suites, each with an empty transposition table.
class SuiteRunner {
public:
    /// Without a runner, in threads of this process.
    explicit SuiteRunner(const SuiteRules& rules, jobs::JobRunner* runner = nullptr)
        : rules_{rules},
          local_{rules.at_once, rules.threads},
          runner_{runner == nullptr ? &local_ : runner} {}

    /// Gives each answer to `take`, in the order of the tasks, from one thread at a time, until
    /// `stop` is set or `take` returns false. Error: why a position cannot be searched. Throws
    /// std::bad_alloc or std::system_error if the system refuses the memory or the threads.
    std::optional<core::Error> run(
        const std::vector<Task>& tasks,
        const std::atomic<bool>& stop,
        const std::function<bool(std::size_t index, const Answer& answer)>& take);

private:
    SuiteRules rules_;
    jobs::LocalRunner local_;
    jobs::JobRunner* runner_;
};

}  // namespace engine::epd
