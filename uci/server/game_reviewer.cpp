#include "uci/server/game_reviewer.hpp"

#include <cassert>

#include "engine/analysis/explain/explainer.hpp"

namespace uci::server {

using engine::review::Judgement;

GameReviewer::GameReviewer(SearchQueue& queue,
                           core::Game game,
                           std::string game_id,
                           std::string client,
                           ReviewLimits limits)
    : queue_{queue},
      game_{std::move(game)},
      game_id_{std::move(game_id)},
      client_{std::move(client)},
      limits_{limits},
      positions_(game_.moves().size() + 1) {
    if (const auto end = engine::review::review_of_end(game_))
        positions_.back() = *end;
    else
        tasks_.push_back({Step::position, positions_.size() - 1});
    for (auto ply = positions_.size() - 1; ply-- > 0;)
        tasks_.push_back({Step::position, ply});
    progress_.total = tasks_.size();
}

GameReviewer::~GameReviewer() {
    if (job_)
        queue_.cancel(*job_);
}

std::optional<core::Error> GameReviewer::start(Report report, Done done) {
    assert(!tasks_.empty());
    report_ = std::move(report);
    done_ = std::move(done);
    if (submit_next())
        return std::nullopt;
    return core::Error{"too many searches are waiting"};
}

bool GameReviewer::submit_next() {
    const auto done = [self = weak_from_this()](const SearchResult& result) {
        const auto reviewer = self.lock();
        if (!reviewer)
            return;
        reviewer->job_.reset();
        const auto task = reviewer->tasks_.front();
        reviewer->tasks_.pop_front();
        reviewer->keep(task, result);
        ++reviewer->progress_.done;
        reviewer->go_on();
    };
    job_ = queue_.submit(job_for(tasks_.front()), done);
    return job_.has_value();
}

void GameReviewer::go_on() {
    if (tasks_.empty() && !review_)
        judge();
    report_(progress_);
    if (tasks_.empty())
        return end();
    submit_or_wait();
}

/// Submits the next job as soon as the queue takes it.
void GameReviewer::submit_or_wait() {
    if (submit_next())
        return;
    const auto retry = [self = weak_from_this()] {
        if (const auto reviewer = self.lock())
            reviewer->submit_or_wait();
    };
    queue_.when_not_full(retry, Priority::analysis, client_);
}

void GameReviewer::end() {
    // The function may destroy this object.
    const auto done = std::exchange(done_, nullptr);
    const auto review = std::move(*review_);
    done(review);
}

SearchJob GameReviewer::job_for(const Task& task) const {
    SearchJob job;
    job.game = game_at(task.ply);
    job.game_id = game_id_;
    job.client = client_;
    job.priority = Priority::analysis;
    job.limits.movetime = limits_.time;
    job.limits.nodes = limits_.nodes;
    if (task.step == Step::pvs)
        job.multipv = limits_.multipv;
    if (task.step == Step::explanation) {
        job.kind = JobKind::explanation;
        job.move = game_.moves()[task.ply];
    }
    return job;
}

void GameReviewer::keep(const Task& task, const SearchResult& result) {
    if (task.step == Step::explanation) {
        const auto& explanation = result.explanation;
        if (explanation && explanation->verdict == engine::explain::Verdict::worse)
            review_->moves[task.ply].explanation = explanation;
        return;
    }
    const auto pvs = task.step == Step::pvs ? result.pvs : std::vector{result.info};
    if (pvs.empty())
        return;
    auto found = engine::review::review_from(game_at(task.ply).position(), result.best, pvs);
    if (task.step == Step::position)
        positions_[task.ply] = std::move(found);
    else
        review_->moves[task.ply].pvs = std::move(found.pvs);
}

/// Finds the mistakes, and what is to be done for each.
void GameReviewer::judge() {
    std::vector<core::Game> games{core::Game{game_.start()}};
    for (const auto move : game_.moves()) {
        core::Game next = games.back();
        next.play(move);
        games.push_back(std::move(next));
    }
    review_ = engine::review::review_of(games, positions_);
    for (std::size_t ply = 0; ply < review_->moves.size(); ++ply) {
        if (review_->moves[ply].judgement == Judgement::fine)
            continue;
        tasks_.push_back({Step::pvs, ply});
        if (!engine::explain::end_of(games[ply]))
            tasks_.push_back({Step::explanation, ply});
    }
    progress_ = {true, 0, tasks_.size()};
}

core::Game GameReviewer::game_at(std::size_t ply) const {
    core::Game game = game_;
    const bool possible = game.undo(static_cast<int>(game_.moves().size() - ply));
    assert(possible);
    static_cast<void>(possible);
    return game;
}

}  // namespace uci::server
