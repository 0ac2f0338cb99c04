#include "uci/server/queue/search_jobs.hpp"

#include <algorithm>
#include <utility>

#include "engine/analysis/explain/explainer.hpp"

namespace uci::server::queue {

namespace {

using engine::Milliseconds;

/// For the way to a worker and back, where a clock runs.
constexpr Milliseconds travel_time{50};

void subtract_wait(engine::Limits& limits, core::Color player) {
    auto& time = limits.clocks[index_of(player)].time;
    if (time)
        *time = std::max(*time - engine::since(limits.arrival) - travel_time, Milliseconds{1});
}

}  // namespace

bool can_travel(const SearchJob& job) {
    if (job.kind == JobKind::explanation)
        return true;
    const auto& limits = job.limits;
    return job.kind == JobKind::search && limits.ends_by_itself() && !limits.soft_nodes
        && limits.searchmoves.empty();
}

JobPriority priority_of(const SearchJob& job) {
    return job.priority == Priority::player && !job.is_hint ? JobPriority::player
                                                            : JobPriority::analysis;
}

engine::jobs::Job job_of(const SearchJob& search,
                         const SearchJobSettings& settings,
                         bool wants_reports) {
    engine::jobs::Job job;
    job.game = search.game;
    job.limits = search.limits;
    job.move = search.move;
    job.multipv = search.multipv;
    job.megabytes = settings.megabytes;
    job.salt = search.salt;
    job.uses_tables = settings.uses_tables;
    job.wants_exact_pvs = true;
    job.wants_reports = wants_reports;
    if (search.kind == JobKind::explanation) {
        job.kind = engine::jobs::JobKind::explanation;
        job.limits = {};
        job.limits.movetime = engine::explain::interactive_rules.time;
        return job;
    }
    job.limits.analysis = search.priority == Priority::analysis;
    subtract_wait(job.limits, job.game.position().side_to_move());
    return job;
}

SearchResult search_result_of(engine::jobs::JobResult result, const SearchJob& search) {
    SearchResult found;
    found.best = result.best;
    found.explanation = std::move(result.explanation);
    if (!result.pvs.empty())
        found.info = result.pvs.front();
    if (search.multipv > 1)
        found.pvs = std::move(result.pvs);
    return found;
}

}  // namespace uci::server::queue
