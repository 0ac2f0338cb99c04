#include "engine/analysis/jobs/job_worker.hpp"

#include <algorithm>
#include <new>
#include <thread>
#include <utility>

#include "core/movegen.hpp"

#include "engine/analysis/explain/explainer.hpp"
#include "engine/search_control.hpp"
#include "engine/strength_level.hpp"
#include "engine/wdl.hpp"

namespace engine::jobs {

namespace {

/// Stops a search when the flag is set.
class Stopper : public SearchListener {
public:
    explicit Stopper(const std::atomic<bool>& stop) : SearchListener{stop} {}

    std::optional<Interrupt> take_interrupt() override {
        return interrupt_flag() ? std::optional{Interrupt::stop} : std::nullopt;
    }
};

/// Keeps the last report on each pv of a search.
class LastReports : public Stopper {
public:
    LastReports(const Job& job,
                std::size_t pv_count,
                const std::atomic<bool>& stop,
                const JobWorker::Report& report)
        : Stopper{stop},
          pv_count_{pv_count},
          wants_iterations_{job.wants_iterations},
          wants_exact_pvs_{job.wants_exact_pvs},
          report_{report},
          pvs_(static_cast<std::size_t>(job.multipv)) {}

    bool wants_reports() const override { return true; }
    void report(Info info) override {
        const auto index = static_cast<std::size_t>(info.multipv - 1);
        info.score = normalised(info.score);
        if (wants_iterations_ && index == 0 && !info.pv.empty())
            iterations_.push_back({info.pv.front(), info.score, info.depth, info.nodes, info.time});
        const bool is_exact = info.bound == Bound::exact;
        if (!is_exact && wants_exact_pvs_)
            return;
        pvs_[index] = std::move(info);
        if (report_ && is_exact && index + 1 == pv_count_)
            report_({pvs_.begin(), pvs_.begin() + static_cast<std::ptrdiff_t>(pv_count_)});
    }
    void report(CurrentMove /*current*/) override {}

    std::vector<Info> take_pvs() { return std::move(pvs_); }
    std::vector<Iteration> take_iterations() { return std::move(iterations_); }

private:
    const std::size_t pv_count_;
    const bool wants_iterations_;
    const bool wants_exact_pvs_;
    const JobWorker::Report& report_;
    std::vector<Info> pvs_;
    std::vector<Iteration> iterations_;
};

/// The result where no move is legal.
JobResult result_of_end(const Job& job) {
    JobResult result;
    result.best.score = job.game.position().in_check() ? mated_in(0) : draw;
    result.pvs.resize(static_cast<std::size_t>(job.multipv));
    result.pvs.front().score = result.best.score;
    return result;
}

JobResult pause(const Job& job, const std::atomic<bool>& stop) {
    constexpr Milliseconds step{100};
    const auto time = job.limits.movetime.value_or(Milliseconds{0});
    const auto start = std::chrono::steady_clock::now();
    while (!stop && since(start) < time)
        std::this_thread::sleep_for(std::min(step, time - since(start)));
    JobResult result;
    result.time = since(start);
    return result;
}

JobResult explained(const Job& job,
                    const evaluate::Evaluate& evaluate,
                    const tablebase::Tablebases* tables,
                    const std::atomic<bool>& stop) {
    JobResult result;
    if (explain::end_of(job.game))
        return result;
    explain::ExplainRules rules;
    rules.time = job.limits.movetime;
    rules.tables = job.uses_tables ? tables : nullptr;
    Stopper listener{stop};
    result.explanation = explain::explain(job.game, job.move, rules, evaluate, listener);
    return result;
}

}  // namespace

void JobWorker::reserve(std::size_t megabytes) {
    if (!search_) {
        search_ = std::make_unique<search::Search>(megabytes, evaluate_);
        megabytes_ = megabytes;
        if (!search_->set_threads(threads_)) {
            search_.reset();
            throw std::bad_alloc{};
        }
    }
    if (megabytes_ == megabytes)
        return;
    if (!search_->resize_tt(megabytes))
        throw std::bad_alloc{};
    megabytes_ = megabytes;
}

JobResult JobWorker::run(const Job& job, const std::atomic<bool>& stop, const Report& report) {
    switch (job.kind) {
        case JobKind::pause: return pause(job, stop);
        case JobKind::explanation: return explained(job, evaluate_, tables_, stop);
        case JobKind::search: break;
    }
    return search(job, stop, report);
}

JobResult JobWorker::search(const Job& job, const std::atomic<bool>& stop, const Report& report) {
    const auto& position = job.game.position();
    const auto moves = core::legal_moves(position);
    if (moves.empty())
        return result_of_end(job);
    std::optional<StrengthLevel> level;
    if (job.limits.elo && !job.limits.analysis)
        level = with_technique(strength_level(*job.limits.elo), position);
    Limits limits = level ? limited(job.limits, *level) : job.limits;
    limits.arrival = std::chrono::steady_clock::now();
    search::SearchRequest request{job.game, {moves.begin(), moves.end()}, job.multipv, job.salt};
    if (job.uses_tables)
        request.tablebases.tables = tables_;
    if (level) {
        request.salt = salt_of_level(job.salt, *level, job.salt);
        request.noise = LeafNoise{level->noise, request.salt};
        request.one_thread = true;
    }
    reserve(job.megabytes);
    if (table_use_ == TableUse::cleared)
        search_->clear();
    LastReports listener{job, std::min(moves.size(), static_cast<std::size_t>(job.multipv)), stop,
                         report};
    const Clock clock{limits, position.side_to_move(), Milliseconds{0}};
    SearchControl control{std::move(limits), clock, listener};
    JobResult result;
    result.best = search_->run(request, control);
    if (result.best.score == -infinite)  // stopped before any move had a score
        result.best.score = evaluate_(position);
    result.best.score = normalised(result.best.score);
    result.nodes = search_->nodes();
    result.time = control.elapsed();
    result.pvs = listener.take_pvs();
    result.iterations = listener.take_iterations();
    return result;
}

}  // namespace engine::jobs
