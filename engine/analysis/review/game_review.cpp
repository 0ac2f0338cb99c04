#include "engine/analysis/review/game_review.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "core/movegen.hpp"

#include "engine/analysis/explain/explainer.hpp"
#include "engine/search/search.hpp"
#include "engine/threading.hpp"

namespace engine::review {

namespace {

/// Stops a search when the flag is set.
class Stopper : public SearchListener {
public:
    explicit Stopper(const std::atomic<bool>& stop) : SearchListener{stop} {}

    std::optional<Interrupt> take_interrupt() override {
        return interrupt_flag() ? std::optional{Interrupt::stop} : std::nullopt;
    }
};

/// Keeps the last report on each pv of a search, too.
class LastReport : public Stopper {
public:
    LastReport(const std::atomic<bool>& stop, int multipv)
        : Stopper{stop},
          last_(static_cast<std::size_t>(multipv)) {}

    bool wants_reports() const override { return true; }
    void report(Info info) override {
        const auto index = static_cast<std::size_t>(info.multipv - 1);
        info.score = normalised(info.score);
        last_[index] = std::move(info);
    }
    void report(CurrentMove /*current*/) override {}

    /// For each pv, with normalised scores; without a pv for those that there are not.
    const std::vector<Info>& last() const { return last_; }

private:
    std::vector<Info> last_;
};

Score for_white(Score score, const core::Position& position) {
    return position.side_to_move() == core::Color::white ? score : -score;
}

/// Keeps the transposition table.
PositionReview review_position(search::Search& search,
                               const core::Game& game,
                               Limits limits,
                               int multipv,
                               const std::atomic<bool>& stop) {
    const auto& position = game.position();
    const auto moves = core::legal_moves(position);
    // Search positions that are drawn by the fifty-move rule or by repetition too: unless the game ends
    // there, the draw was not claimed.
    if (moves.empty())
        return *review_of_end(game);
    limits.analysis = true;
    limits.arrival = std::chrono::steady_clock::now();
    LastReport listener{stop, multipv};
    const Clock clock{limits, position.side_to_move(), Milliseconds{0}};
    SearchControl control{std::move(limits), clock, listener};
    BestMove best = search.run({game, {moves.begin(), moves.end()}, multipv}, control);
    best.score = normalised(best.score);
    return review_from(position, best, listener.last());
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

/// Runs a function in `count` threads, this one among them. Throws what one of them has thrown.
void run_in_threads(std::size_t count, const std::function<void()>& function) {
    std::mutex mutex;
    std::exception_ptr failure;
    const auto guarded = [&] {
        try {
            function();
        }
        catch (...) {
            const std::lock_guard lock{mutex};
            failure = std::current_exception();
        }
    };
    {
        std::deque<Thread> helpers;  // each waits for its end when it is destroyed
        for (std::size_t helper = 1; helper < count; ++helper)
            helpers.emplace_back(guarded);
        guarded();
    }
    if (failure)
        std::rethrow_exception(failure);
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
struct PositionReviewer::Job {
    const std::vector<core::Game>& positions;
    int multipv;
    const std::atomic<bool>& stop;
    const std::function<void()>& progress;
    std::vector<PositionReview> reviews{positions.size()};

    void review(std::size_t i, search::Search& search, const Limits& limits) {
        reviews[i] = review_position(search, positions[i], limits, multipv, stop);
        progress();
    }
};

std::optional<std::vector<PositionReview>> PositionReviewer::review(
    const std::vector<core::Game>& positions,
    const std::atomic<bool>& stop,
    const std::function<void()>& progress) const {
    Job job{positions, 1, stop, progress};
    run(job);
    if (stop)
        return std::nullopt;
    if (const auto end = review_of_end(positions.back()))
        job.reviews.back().score = end->score;
    return std::move(job.reviews);
}

bool PositionReviewer::add_pvs(GameReview& review,
                               const std::vector<core::Game>& positions,
                               int multipv,
                               const std::atomic<bool>& stop) const {
    std::vector<MoveReview*> moves;
    std::vector<core::Game> before;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        if (review.moves[i].judgement == Judgement::fine)
            continue;
        moves.push_back(&review.moves[i]);
        before.push_back(positions[i]);
    }
    if (multipv <= 1 || moves.empty())
        return !stop;
    const std::function<void()> nothing = [] {};
    Job job{before, multipv, stop, nothing};
    run(job);
    for (std::size_t i = 0; i < moves.size(); ++i)
        moves[i]->pvs = std::move(job.reviews[i].pvs);
    return !stop;
}

bool PositionReviewer::add_explanations(GameReview& review,
                                        const std::vector<core::Game>& positions,
                                        const std::atomic<bool>& stop) const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        if (review.moves[i].judgement != Judgement::fine && !explain::end_of(positions[i]))
            indices.push_back(i);
    }
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (auto i = next++; i < indices.size() && !stop; i = next++) {
            auto& move = review.moves[indices[i]];
            Stopper listener{stop};
            auto explanation =
                explain::explain(positions[indices[i]], move.move, {}, evaluate_, listener);
            if (explanation && explanation->verdict == explain::Verdict::worse)
                move.explanation = std::move(explanation);
        }
    };
    run_in_threads(std::min(static_cast<std::size_t>(rules_.threads), indices.size()), work);
    return !stop;
}

void PositionReviewer::run(Job& job) const {
    if (rules_.time || rules_.depth)
        run_backwards(job);
    else
        run_side_by_side(job);
}

void PositionReviewer::run_side_by_side(Job& job) const {
    std::atomic<std::size_t> next{0};
    Limits limits;
    limits.nodes = rules_.nodes;
    const auto work = [&](search::Search& search) {
        for (auto i = next++; i < job.positions.size() && !job.stop; i = next++) {
            search.clear();
            job.review(i, search, limits);
        }
    };
    // All memory is taken here, where a refusal can be reported.
    std::deque<search::Search> searches;
    const auto threads = static_cast<std::size_t>(rules_.threads);
    while (searches.size() < std::min(threads, job.positions.size()))
        searches.emplace_back(tt_megabytes(rules_.nodes), evaluate_);
    std::deque<Thread> helpers;  // each waits for its end when it is destroyed
    for (auto search = searches.begin() + 1; search != searches.end(); ++search)
        helpers.emplace_back([&work, search] { work(*search); });
    work(searches.front());
}

void PositionReviewer::run_backwards(Job& job) const {
    search::Search search{static_cast<std::size_t>(rules_.megabytes), evaluate_};
    if (!search.set_threads(rules_.threads))
        throw std::bad_alloc{};
    Limits limits;
    limits.movetime = rules_.time;
    limits.depth = rules_.depth;
    for (auto i = job.positions.size(); i-- > 0 && !job.stop;)
        job.review(i, search, limits);
}

}  // namespace engine::review
