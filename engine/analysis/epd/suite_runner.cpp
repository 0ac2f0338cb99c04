#include "engine/analysis/epd/suite_runner.hpp"

#include <map>
#include <utility>

namespace engine::epd {

namespace {

jobs::Job job_of(const Task& task, const SuiteRules& rules) {
    jobs::Job job;
    job.game = core::Game{task.position};
    job.limits = rules.limits;
    job.limits.analysis = true;
    job.megabytes = static_cast<std::size_t>(rules.megabytes);
    job.wants_iterations = true;
    return job;
}

/// Since when a search's move was right until its end; nothing if it was not.
std::optional<Moment> found_in(const Task& task, const std::vector<jobs::Iteration>& iterations) {
    std::optional<Moment> found;
    for (const auto& iteration : iterations) {
        if (!score_answer(task, iteration.move, iteration.score).solved)
            found.reset();
        else if (!found)
            found = Moment{iteration.time, iteration.nodes, iteration.depth};
    }
    return found;
}

Answer answer_of(const Task& task, const jobs::JobResult& result) {
    const auto& best = result.best;
    if (!best.move)
        return {std::nullopt, best.score, {}, {}, {}};
    const auto& last = result.pvs.front();
    const Moment end{result.time, result.nodes, last.depth};
    Answer answer{best.move, best.score, last.pv, end, found_in(task, result.iterations)};
    // A search that is stopped in an iteration reports the pv of the one before.
    if (answer.pv.empty() || answer.pv.front() != *best.move)
        answer.pv = {*best.move};
    if (!score_answer(task, *best.move, answer.score).solved)
        answer.found.reset();
    else if (!answer.found)
        answer.found = end;
    return answer;
}

}  // namespace

std::optional<core::Error> SuiteRunner::run(
    const std::vector<Task>& tasks,
    const std::atomic<bool>& stop,
    const std::function<bool(std::size_t, const Answer&)>& take) {
    std::vector<jobs::Job> jobs;
    for (const auto& task : tasks)
        jobs.push_back(job_of(task, rules_));
    // Answers come in any order.
    std::map<std::size_t, Answer> early;
    std::size_t next = 0;
    return runner_->run(jobs, stop, [&](std::size_t index, const jobs::JobResult& result) {
        early.emplace(index, answer_of(tasks[index], result));
        for (auto first = early.begin(); first != early.end() && first->first == next;
             first = early.erase(first), ++next) {
            if (!take(next, first->second))
                return false;
        }
        return true;
    });
}

}  // namespace engine::epd
