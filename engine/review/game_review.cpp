#include "engine/review/game_review.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <utility>

#include "core/movegen.hpp"

#include "engine/search/search.hpp"
#include "engine/threading.hpp"

namespace engine::review {

namespace {

/// Keeps the last report of a search, and stops it when the flag is set.
class LastReport : public SearchListener {
public:
    explicit LastReport(const std::atomic<bool>& stop) : SearchListener{stop}, stop_{stop} {}

    std::optional<Interrupt> take_interrupt() override {
        return stop_ ? std::optional{Interrupt::stop} : std::nullopt;
    }
    bool wants_reports() const override { return true; }
    void report(Info info) override { last_ = std::move(info); }
    void report(CurrentMove /*current*/) override {}

    const Info& last() const { return last_; }

private:
    const std::atomic<bool>& stop_;
    Info last_;
};

Score for_white(Score score, const core::Position& position) {
    return position.side_to_move() == core::Color::white ? score : -score;
}

/// Clears nothing before it.
PositionReview review_position(search::Search& search,
                               const core::Game& game,
                               Limits limits,
                               const std::atomic<bool>& stop) {
    const auto& position = game.position();
    const auto moves = core::legal_moves(position);
    if (moves.empty())
        return {for_white(position.in_check() ? mated_in(0) : draw, position), 0, {}};
    limits.analysis = true;
    limits.arrival = std::chrono::steady_clock::now();
    LastReport listener{stop};
    const Clock clock{limits, position.side_to_move(), Milliseconds{0}};
    SearchControl control{std::move(limits), clock, listener};
    const BestMove best = search.run({game, {moves.begin(), moves.end()}}, control);
    PositionReview review{for_white(normalised(best.score), position), listener.last().depth,
                          listener.last().pv};
    // A search that is stopped early reports the line of the iteration before.
    if (best.move && (review.line.empty() || review.line.front() != *best.move))
        review.line = {*best.move};
    return review;
}

/// Large enough for the nodes of a position: the table is cleared for each.
std::size_t table_megabytes(std::uint64_t nodes) {
    return std::clamp<std::size_t>(nodes / 10'000, 1, 64);
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

GameReview review_of(const std::vector<core::Game>& positions,
                     const std::vector<PositionReview>& reviews) {
    GameReview review;
    std::array<double, 2> sum{};
    std::array<int, 2> count{};
    for (std::size_t i = 0; i + 1 < positions.size(); ++i) {
        MoveReview move{{}, reviews[i], reviews[i + 1]};
        // A null move begins a game without moves.
        if (!positions[i + 1].moves().empty()) {
            move.move = positions[i + 1].moves().back();
            const auto mover = positions[i].position().side_to_move();
            const double sign = mover == core::Color::white ? 1 : -1;
            const double before = sign * winning_chance(move.before.score);
            const double after = sign * winning_chance(move.after.score);
            const bool best = !move.before.line.empty() && move.before.line.front() == *move.move;
            if (!best) {
                move.judgement = judgement(before - after);
                move.accuracy = move_accuracy(before, after);
            }
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

std::optional<std::vector<PositionReview>> PositionReviewer::review(
    const std::vector<core::Game>& positions,
    const std::atomic<bool>& stop,
    const std::function<void()>& progress) const {
    std::vector<PositionReview> reviews(positions.size());
    if (rules_.time)
        review_by_time(positions, reviews, stop, progress);
    else
        review_by_nodes(positions, reviews, stop, progress);
    if (stop)
        return std::nullopt;
    return reviews;
}

void PositionReviewer::review_by_nodes(const std::vector<core::Game>& positions,
                                       std::vector<PositionReview>& reviews,
                                       const std::atomic<bool>& stop,
                                       const std::function<void()>& progress) const {
    std::atomic<std::size_t> next{0};
    const auto work = [&](search::Search& search) {
        Limits limits;
        limits.nodes = rules_.nodes;
        for (auto i = next++; i < positions.size() && !stop; i = next++) {
            search.clear();
            reviews[i] = review_position(search, positions[i], limits, stop);
            progress();
        }
    };
    // All memory is taken here, where a refusal can be reported.
    std::deque<search::Search> searches;
    while (searches.size() < std::min(static_cast<std::size_t>(rules_.threads), positions.size()))
        searches.emplace_back(table_megabytes(rules_.nodes), evaluate_);
    std::deque<Thread> threads;  // each waits for its end when it is destroyed
    for (auto search = searches.begin() + 1; search != searches.end(); ++search)
        threads.emplace_back([&work, search] { work(*search); });
    work(searches.front());
}

void PositionReviewer::review_by_time(const std::vector<core::Game>& positions,
                                      std::vector<PositionReview>& reviews,
                                      const std::atomic<bool>& stop,
                                      const std::function<void()>& progress) const {
    search::Search search{static_cast<std::size_t>(rules_.megabytes), evaluate_};
    if (!search.set_threads(rules_.threads))
        throw std::bad_alloc{};
    Limits limits;
    limits.move_time = rules_.time;
    for (auto i = positions.size(); i-- > 0 && !stop;) {
        reviews[i] = review_position(search, positions[i], limits, stop);
        progress();
    }
}

}  // namespace engine::review
