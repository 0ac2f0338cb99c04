#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "engine/analysis/epd/task.hpp"
#include "engine/evaluate/evaluate.hpp"

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
    explicit SuiteRunner(SuiteRules rules) : rules_{std::move(rules)} {}

    /// Gives each answer to `take`, in the order of the tasks, from one thread at a time, until `stop`
    /// is set or `take` returns false. Throws std::bad_alloc or std::system_error if the system refuses
    /// the memory or the threads.
    void run(const std::vector<Task>& tasks,
             const std::atomic<bool>& stop,
             const std::function<bool(std::size_t index, const Answer& answer)>& take) const;

private:
    SuiteRules rules_;
    evaluate::Evaluate evaluate_;
};

}  // namespace engine::epd
