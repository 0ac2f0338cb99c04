#include "engine/analysis/review/game_review.hpp"

#include <algorithm>
#include <utility>

#include "engine/analysis/explain/explainer.hpp"

namespace engine::review {

namespace {

Score for_white(Score score, const core::Position& position) {
    return position.side_to_move() == core::Color::white ? score : -score;
}

/// Large enough for the nodes of a position: the table is cleared for each.
std::size_t tt_megabytes(std::uint64_t nodes) {
    return std::clamp<std::size_t>(nodes / 10'000, 1, 64);
}

/// The opening of the game up to its first null move.
std::optional<core::Opening> opening_of(const std::vector<core::Game>& positions) {
    const auto null_move = std::find_if(positions.begin() + 1, positions.end(),
                                        [](const auto& game) { return game.moves().empty(); });
    return core::opening_of(*(null_move - 1));
}

core::Error stopped() {
    return core::Error{"stopped"};
}

}  // namespace

std::vector<core::Game> positions_of(const core::AnnotatedGame& game) {
    std::vector<core::Game> positions{core::Game{game.start}};
    for (const auto& element : game.elements) {
        if (const auto* move = std::get_if<core::Move>(&element.content)) {
            core::Game next = positions.back();
            next.play(*move);
            positions.push_back(std::move(next));
        }
        else if (std::holds_alternative<core::PgnNullMove>(element.content)) {
            positions.emplace_back(positions.back().position().after_null_move());
        }
    }
    return positions;
}

std::optional<PositionReview> review_of_end(const core::Game& game) {
    const auto outcome = game.outcome();
    if (outcome == core::Outcome::open)
        return std::nullopt;
    const bool mated = outcome == core::Outcome::checkmate;
    return PositionReview{for_white(mated ? mated_in(0) : draw, game.position()), 0, {}, {}};
}

PositionReview review_from(const core::Position& position,
                           const BestMove& best,
                           std::span<const Info> pvs) {
    PositionReview review{for_white(best.score, position), pvs.front().depth, pvs.front().pv, {}};
    // A search that is stopped early reports the pv of the iteration before.
    if (best.move && (review.pv.empty() || review.pv.front() != *best.move))
        review.pv = {*best.move};
    for (const auto& info : pvs) {
        if (pvs.size() > 1 && !info.pv.empty())
            review.pvs.push_back({for_white(info.score, position), info.pv});
    }
    return review;
}

GameReview review_of(const std::vector<core::Game>& positions,
                     const std::vector<PositionReview>& reviews,
                     std::optional<core::Color> player) {
    GameReview review{{}, opening_of(positions), {}};
    std::array<double, 2> sum{};
    std::array<int, 2> count{};
    for (std::size_t i = 0; i + 1 < positions.size(); ++i) {
        MoveReview move;
        move.before = reviews[i];
        move.after = reviews[i + 1];
        // A null move begins a game without moves.
        if (!positions[i + 1].moves().empty()) {
            move.move = positions[i + 1].moves().back();
            const auto mover = positions[i].position().side_to_move();
            const double sign = mover == core::Color::white ? 1 : -1;
            const double before = sign * winning_chance(move.before.score);
            const double after = sign * winning_chance(move.after.score);
            const bool best = !move.before.pv.empty() && move.before.pv.front() == *move.move;
            if (!best)
                move.accuracy = move_accuracy(before, after);
            if (!best && mover == player.value_or(mover))
                move.judgement = judgement(before - after);
            sum[core::index_of(mover)] += move.accuracy;
            ++count[core::index_of(mover)];
        }
        review.moves.push_back(std::move(move));
    }
    for (std::size_t color = 0; color < 2; ++color) {
        if (count[color] > 0)
            review.accuracy[color] = sum[color] / count[color];
    }
    return review;
}

/// What to search, and what was found.
struct PositionReviewer::Search {
    const std::vector<core::Game>& positions;
    int multipv;
    const std::atomic<bool>& stop;
    const std::function<void()>& progress;
    std::vector<PositionReview> reviews{positions.size()};

    void add(std::size_t i, const jobs::JobResult& result) {
        // Positions that are drawn by the fifty-move rule or by repetition are searched too: unless
        // the game ends there, the draw was not claimed.
        reviews[i] = result.best.move
                       ? review_from(positions[i].position(), result.best, result.pvs)
                       : *review_of_end(positions[i]);
        progress();
    }
};

core::Result<std::vector<PositionReview>> PositionReviewer::review(
    const std::vector<core::Game>& positions,
    const std::atomic<bool>& stop,
    const std::function<void()>& progress) {
    Search search{positions, 1, stop, progress};
    if (const auto error = run(search))
        return *error;
    if (const auto end = review_of_end(positions.back()))
        search.reviews.back().score = end->score;
    return std::move(search.reviews);
}

std::optional<core::Error> PositionReviewer::add_pvs(GameReview& review,
                                                     const std::vector<core::Game>& positions,
                                                     int multipv,
                                                     const std::atomic<bool>& stop) {
    std::vector<MoveReview*> moves;
    std::vector<core::Game> before;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        if (review.moves[i].judgement == Judgement::fine)
            continue;
        moves.push_back(&review.moves[i]);
        before.push_back(positions[i]);
    }
    if (multipv <= 1 || moves.empty())
        return stop ? std::optional{stopped()} : std::nullopt;
    const std::function<void()> nothing = [] {};
    Search search{before, multipv, stop, nothing};
    if (auto error = run(search))
        return error;
    for (std::size_t i = 0; i < moves.size(); ++i)
        moves[i]->pvs = std::move(search.reviews[i].pvs);
    return std::nullopt;
}

std::optional<core::Error> PositionReviewer::add_explanations(
    GameReview& review,
    const std::vector<core::Game>& positions,
    const std::atomic<bool>& stop) {
    std::vector<MoveReview*> moves;
    std::vector<jobs::Job> jobs;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        if (review.moves[i].judgement == Judgement::fine || explain::end_of(positions[i]))
            continue;
        moves.push_back(&review.moves[i]);
        jobs::Job job;
        job.game = positions[i];
        job.kind = jobs::JobKind::explanation;
        job.move = review.moves[i].move;
        jobs.push_back(std::move(job));
    }
    auto error = runner_->run(jobs, stop, [&](std::size_t i, jobs::JobResult result) {
        if (result.explanation && result.explanation->verdict == explain::Verdict::worse)
            moves[i]->explanation = std::move(result.explanation);
        return true;
    });
    if (!error && stop)
        error = stopped();
    return error;
}

std::optional<core::Error> PositionReviewer::run(Search& search) {
    auto error = std::optional<core::Error>{};
    if (runner_ == &local_ && (rules_.time || rules_.depth))
        run_backwards(search);
    else
        error = run_side_by_side(search);
    if (!error && search.stop)
        error = stopped();
    return error;
}

jobs::Job PositionReviewer::job_of(const core::Game& game, int multipv) const {
    jobs::Job job;
    job.game = game;
    job.multipv = multipv;
    job.limits.analysis = true;
    job.limits.movetime = rules_.time;
    job.limits.depth = rules_.depth;
    if (rules_.time || rules_.depth) {
        job.megabytes = static_cast<std::size_t>(rules_.megabytes);
    }
    else {
        job.limits.nodes = rules_.nodes;
        job.megabytes = tt_megabytes(rules_.nodes);
    }
    return job;
}

std::optional<core::Error> PositionReviewer::run_side_by_side(Search& search) {
    std::vector<jobs::Job> jobs;
    for (const auto& position : search.positions)
        jobs.push_back(job_of(position, search.multipv));
    return runner_->run(jobs, search.stop, [&](std::size_t i, const jobs::JobResult& result) {
        search.add(i, result);
        return true;
    });
}

void PositionReviewer::run_backwards(Search& search) {
    jobs::JobWorker worker{evaluate_, nullptr, rules_.threads, jobs::TableUse::kept};
    worker.reserve(static_cast<std::size_t>(rules_.megabytes));
    for (auto i = search.positions.size(); i-- > 0 && !search.stop;)
        search.add(i, worker.run(job_of(search.positions[i], search.multipv), search.stop));
}

}  // namespace engine::review
