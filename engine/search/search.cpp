#include "engine/search/search.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/movegen.hpp"

#include "engine/evaluate/evaluate.hpp"
#include "engine/evaluate/nnue/embedded.hpp"
#include "engine/search/worker.hpp"
#include "engine/tasking.hpp"

namespace engine {

struct Search::Helper {
    explicit Helper(SharedSearch& shared) : worker{shared} {}

    Worker worker;
    Task task;
};

Search::Search(std::size_t megabytes)
    : shared_{megabytes, nnue::embedded_network()},
      main_worker_{std::make_unique<Worker>(shared_)} {
    shared_.nodes_of_all = [this] { return nodes(); };
}

Search::~Search() = default;

bool Search::set_threads(int count) {
    const auto wanted = static_cast<std::size_t>(count - 1);
    const auto before = helpers_.size();
    try {
        while (helpers_.size() < wanted)
            helpers_.push_back(std::make_unique<Helper>(shared_));
    }
    catch (const std::bad_alloc&) {
        helpers_.resize(before);
        return false;
    }
    catch (const std::system_error&) {
        helpers_.resize(before);
        return false;
    }
    helpers_.resize(wanted);
    return true;
}

void Search::use_network(std::shared_ptr<const nnue::Network> network) {
    shared_.network = std::move(network);
    main_worker_->take_network();
    for (const auto& helper : helpers_)
        helper->worker.take_network();
    clear();
}

Score Search::evaluate(const core::Position& position) const {
    return engine::evaluate(*shared_.network, position);
}

void Search::clear() {
    shared_.table.clear();
    main_worker_->clear();
    for (const auto& helper : helpers_)
        helper->worker.clear();
}

std::uint64_t Search::nodes() const {
    std::uint64_t sum = main_worker_->nodes();
    for (const auto& helper : helpers_)
        sum += helper->worker.nodes();
    return sum;
}

/// Each thread votes for its best move, with more weight the deeper it came and the better the
/// score; of the workers with the winning move, the deepest is elected. A proven mate needs no votes.
const Worker& Search::elected_worker() const {
    std::vector<const Worker*> workers{main_worker_.get()};
    for (const auto& helper : helpers_) {
        if (helper->worker.completed_depth() > 0)
            workers.push_back(&helper->worker);
    }
    Score lowest = infinite;
    for (const auto* worker : workers)
        lowest = std::min(lowest, worker->best().score);
    std::map<std::uint16_t, std::int64_t> votes;
    for (const auto* worker : workers)
        votes[worker->best().move.bits()] +=
            std::int64_t{worker->best().score - lowest + 10} * worker->completed_depth();
    const auto weight_of = [&](const Worker& worker) {
        return std::tuple{votes[worker.best().move.bits()], worker.completed_depth()};
    };
    const Worker* elected = workers.front();
    for (const auto* worker : workers) {
        const Score best = elected->best().score;
        const Score score = worker->best().score;
        const bool wins = is_decisive(best) || is_decisive(score)
                            ? score > best
                            : weight_of(*worker) > weight_of(*elected);
        if (wins)
            elected = worker;
    }
    return *elected;
}

std::optional<core::Move> Search::ponder_move(const core::Position& root,
                                              const std::vector<core::Move>& line) const {
    if (line.size() > 1)
        return line[1];
    const auto next = root.after(line.front());
    const auto entry = shared_.table.find(next.key(), 1);
    if (entry && entry->move() && core::is_legal(next, *entry->move()))
        return entry->move();
    return std::nullopt;
}

BestMove Search::run(const SearchRequest& request, SearchControl& control) {
    shared_.table.grow_older();
    shared_.stop.store(false, std::memory_order_relaxed);
    main_worker_->prepare(request, &control);
    for (const auto& helper : helpers_)
        helper->worker.prepare(request, nullptr);
    for (const auto& helper : helpers_)
        helper->task.start([&worker = helper->worker] { worker.deepen(); });

    main_worker_->deepen();
    shared_.stop.store(true, std::memory_order_relaxed);
    for (const auto& helper : helpers_)
        helper->task.wait();
    control.wait_for_release();

    const bool vote = request.multi_pv == 1 && !control.is_depth_limited() && !helpers_.empty();
    const Worker& elected = vote ? elected_worker() : *main_worker_;
    if (elected.has_news() || &elected != main_worker_.get())
        elected.report(control);
    const RootMove& best = elected.best();
    return BestMove{best.line.front(), ponder_move(request.game.position(), best.line),
                    request.castling, best.score == -infinite ? best.previous_score : best.score};
}

}  // namespace engine
