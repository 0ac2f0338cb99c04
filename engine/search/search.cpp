#include "engine/search/search.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <new>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/movegen.hpp"

#include "engine/search/worker.hpp"
#include "engine/tablebase/root_ranking.hpp"
#include "engine/tasking.hpp"

namespace engine::search {

namespace {

Score score_of(tablebase::WdlScore outcome) {
    switch (outcome) {
        case tablebase::WdlScore::win: return tablebase_win;
        case tablebase::WdlScore::loss: return -tablebase_win;
        default: return draw + tablebase::value_of(outcome);
    }
}

/// Adds what the tables say to the root moves, and puts the best ones first.
void rank(std::vector<RootMove>& root_moves, const tablebase::RootRanking& ranking) {
    for (RootMove& root_move : root_moves) {
        const auto ranked =
            std::find_if(ranking.moves.begin(), ranking.moves.end(),
                         [&](const auto& other) { return other.move == root_move.move; });
        assert(ranked != ranking.moves.end());
        root_move.tb_rank = ranked->rank;
        root_move.tb_score = score_of(ranked->outcome);
    }
    std::stable_sort(root_moves.begin(), root_moves.end(),
                     [](const RootMove& a, const RootMove& b) { return a.tb_rank > b.tb_rank; });
}

}  // namespace

struct Search::Helper {
    explicit Helper(SharedState& shared) : worker{shared} {}

    Worker worker;
    Task task;
};

Search::Search(std::size_t megabytes, const evaluate::Evaluate& evaluate)
    : shared_{std::make_unique<SharedState>(megabytes, evaluate)},
      main_worker_{std::make_unique<Worker>(*shared_)} {
    shared_->node_counters = {&main_worker_->nodes()};
    shared_->tbhit_counters = {&main_worker_->tbhits()};
}

Search::~Search() = default;

bool Search::resize_tt(std::size_t megabytes) {
    reset_tt_state();
    return shared_->tt.resize(megabytes, threads());
}

bool Search::set_threads(int count) {
    assert(count >= 1);
    const auto wanted = static_cast<std::size_t>(count - 1);
    const auto before = helpers_.size();
    bool done = true;
    try {
        while (helpers_.size() < wanted)
            helpers_.push_back(std::make_unique<Helper>(*shared_));
    }
    catch (const std::bad_alloc&) {
        done = false;
    }
    catch (const std::system_error&) {
        done = false;
    }
    helpers_.resize(done ? wanted : before);
    shared_->node_counters = {&main_worker_->nodes()};
    shared_->tbhit_counters = {&main_worker_->tbhits()};
    for (const auto& helper : helpers_) {
        shared_->node_counters.push_back(&helper->worker.nodes());
        shared_->tbhit_counters.push_back(&helper->worker.tbhits());
    }
    return done;
}

void Search::clear_tt() {
    reset_tt_state();
    shared_->tt.clear(threads());
}

TTImage Search::tt_image() {
    return {shared_->tt.bytes(), TranspositionTable::layout, shared_->evaluate.network().checksum(),
            shared_->tt.generation()};
}

/// The table gets other contents: what was noted about the old ones no longer holds.
void Search::reset_tt_state() {
    shared_->tt_is_loaded = false;
    shared_->last_result.reset();
}

std::optional<core::Error> Search::save_tt(const std::string& path) {
    // The iteration that was stopped may have replaced the root's exact score by a bound.
    if (const auto& last = shared_->last_result)
        shared_->tt.store(last->key, 0, last->data);
    return save_tt_file(path, tt_image());
}

std::optional<core::Error> Search::load_tt(const std::string& path) {
    const auto generation = load_tt_file(path, tt_image());
    if (!generation)
        return generation.error();
    reset_tt_state();
    shared_->tt.set_generation(*generation);
    shared_->tt_is_loaded = true;
    return std::nullopt;
}

void Search::evaluation_changed() {
    main_worker_->reset_accumulators();
    for (const auto& helper : helpers_)
        helper->worker.reset_accumulators();
    clear();
}

void Search::clear() {
    clear_tt();
    clear_histories();
}

void Search::clear_histories() {
    main_worker_->clear();
    for (const auto& helper : helpers_)
        helper->worker.clear();
}

void Search::set_salt(core::Key salt) {
    if (salt == salt_)
        return;
    salt_ = salt;
    shared_->tt.set_salt(salt);
    clear_histories();
}

std::uint64_t Search::nodes() const {
    return shared_->total_nodes();
}

std::size_t best_thread(const std::vector<ThreadResult>& results) {
    const auto is_counted = [&](std::size_t i) { return i == 0 || results[i].completed_depth > 0; };
    Score min_score = infinite;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (is_counted(i))
            min_score = std::min(min_score, results[i].score);
    }
    std::map<std::uint16_t, std::int64_t> votes;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto& [move, score, depth] = results[i];
        if (is_counted(i))
            votes[move.bits()] += std::int64_t{score - min_score + 10} * depth;
    }
    const auto weight = [&](const ThreadResult& result) {
        return std::tuple{votes[result.move.bits()], result.completed_depth};
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < results.size(); ++i) {
        const auto& present = results[best];
        const auto& other = results[i];
        const bool is_better = is_decisive(present.score) || is_decisive(other.score)
                                 ? other.score > present.score
                                 : weight(other) > weight(present);
        if (is_counted(i) && is_better)
            best = i;
    }
    return best;
}

const Worker& Search::best_worker() const {
    std::vector<const Worker*> workers{main_worker_.get()};
    for (const auto& helper : helpers_)
        workers.push_back(&helper->worker);
    std::vector<ThreadResult> results;
    results.reserve(workers.size());
    for (const Worker* worker : workers)
        results.push_back({worker->best().move, worker->best().score, worker->completed_depth()});
    return *workers[best_thread(results)];
}

/// Keeps the result for save_tt(), if it is that of a search with all moves and without noise.
void Search::remember(const SearchRequest& request, const Worker& worker) {
    const auto& position = request.game.position();
    const bool is_whole =
        core::count_legal_moves(position) == static_cast<int>(request.root_moves.size());
    shared_->last_result.reset();
    if (is_whole && worker.completed_result() && !request.noise.is_on() && !worker.best().tb_score)
        shared_->last_result = RootResult{position.key(), *worker.completed_result()};
}

/// The reply to expect: from the pv, or else from the TT.
std::optional<core::Move> Search::ponder_move(const core::Position& root,
                                              const std::vector<core::Move>& pv) const {
    if (pv.size() > 1)
        return pv[1];
    const auto next = root.after(pv.front());
    const auto tt = shared_->tt.probe(next.key(), 1);
    if (tt && tt->move() && core::is_legal(next, *tt->move()))
        return tt->move();
    return std::nullopt;
}

/// The root moves, ranked by the endgame tables if they know the position. Decides whether the
/// search probes them: that only helps where DTZ does not tell the way to win.
std::vector<RootMove> Search::ranked_root_moves(const SearchRequest& request) {
    TablebaseUse& use = shared_->tablebases;
    use = request.tablebases;
    use.probe_limit = use.tables ? std::min(use.probe_limit, use.tables->largest()) : 0;
    shared_->root_tbhits = 0;
    std::vector<RootMove> root_moves;
    for (const core::Move move : request.root_moves) {
        RootMove root_move;
        root_move.move = move;
        root_move.pv = {move};
        root_moves.push_back(root_move);
    }
    if (use.tables == nullptr || request.game.position().pieces().count() > use.probe_limit)
        return root_moves;
    const auto ranking = tablebase::rank_root_moves(*use.tables, request.game, use.fifty_move_rule);
    if (!ranking)
        return root_moves;
    shared_->root_tbhits = ranking->moves.size();
    if (ranking->by_dtz || tablebase::value_of(ranking->moves.front().outcome) <= 0)
        use.probe_limit = 0;
    rank(root_moves, *ranking);
    return root_moves;
}

BestMove Search::run(const SearchRequest& request, SearchControl& control) {
    set_salt(request.salt);
    shared_->tt.new_search();
    shared_->noise = request.noise;
    shared_->evaluated = request.evaluated;
    shared_->stop.store(false, std::memory_order_relaxed);
    const auto root_moves = ranked_root_moves(request);
    main_worker_->prepare(request, root_moves, &control);
    for (const auto& helper : helpers_)
        helper->worker.prepare(request, root_moves, nullptr);
    const bool has_helpers = !helpers_.empty() && !request.one_thread;
    assert(!has_helpers || request.evaluated == nullptr);
    if (has_helpers) {
        for (const auto& helper : helpers_)
            helper->task.start([&worker = helper->worker] { worker.iterative_deepening(); });
    }

    main_worker_->iterative_deepening();
    shared_->stop.store(true, std::memory_order_relaxed);
    if (has_helpers) {
        for (const auto& helper : helpers_)
            helper->task.wait();
    }
    shared_->evaluated = nullptr;

    const bool vote = request.multipv == 1 && !control.is_depth_limited() && has_helpers;
    const Worker& worker = vote ? best_worker() : *main_worker_;
    if (worker.needs_final_info() || &worker != main_worker_.get())
        worker.report(control, /*best_move_follows=*/control.may_send_bestmove());
    // After the report, which would count the time until then as time of the search.
    control.wait_for_release();
    const RootMove& best = worker.best();
    BestMove answer;
    answer.move = best.pv.front();
    answer.ponder = ponder_move(request.game.position(), best.pv);
    answer.score = best.reported_score(best.score == -infinite ? best.previous_score : best.score);
    remember(request, worker);
    if (main_worker_->is_aborted())
        answer.aborted_at = nodes();
    return answer;
}

}  // namespace engine::search
