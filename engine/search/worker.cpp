#include "engine/search/worker.hpp"

#include <algorithm>
#include <cassert>

#include "core/movegen.hpp"

namespace engine::search {

namespace {

/// Stack entries beyond the last ply, so that a node may always reach its grandchildren.
constexpr std::size_t spare_entries = 4;

}  // namespace

Worker::Worker(SharedState& shared)
    : shared_{shared},
      stack_(max_ply + spare_entries),
      accumulators_{shared.evaluate.network(), stack_.size()} {
    for (std::size_t ply = 0; ply < stack_.size(); ++ply)
        stack_[ply].ply = static_cast<int>(ply);
}

void Worker::reset_accumulators() {
    accumulators_ = {shared_.evaluate.network(), stack_.size()};
}

void Worker::prepare(const SearchRequest& request,
                     const std::vector<RootMove>& root_moves,
                     SearchControl* control) {
    assert(!root_moves.empty());
    control_ = control;
    stopped_ = false;
    root_moves_ = root_moves;
    multipv_ = std::min(static_cast<std::size_t>(request.multipv), root_moves_.size());
    all_moves_allowed_ =
        core::count_legal_moves(request.game.position()) == static_cast<int>(root_moves_.size());
    // The fifty-move rule ends the game after a hundred plies, so older positions cannot recur.
    constexpr std::size_t max_keys = 101;
    const auto keys = request.game.keys();
    const auto kept = std::min(keys.size(), max_keys);
    keys_.assign(keys.end() - static_cast<std::ptrdiff_t>(kept), keys.end());
    keys_.reserve(kept + max_ply + spare_entries);
    for (StackEntry& entry : stack_)
        entry.cutoff_count = 0;
    histories_.begin_search();
    stack_[0].position = request.game.position();
    stack_[0].double_extensions = 0;
    accumulators_.reset(stack_[0].position);
    nodes_.reset();
    tbhits_.reset();
    reported_nodes_.reset();
    other_threads_nodes_ = 0;
    root_depth_ = completed_depth_ = null_move_min_ply_ = 0;
    completed_result_.reset();
}

void Worker::make_move(StackEntry& ss, core::Move move) {
    assert(core::is_legal(ss.position, move));
    ss.move = move;
    ss.reduction = 0;
    ss.continuation =
        &histories_.continuation(ss.position.piece_at_unchecked(move.from()), move.to());
    StackEntry& next = child(ss);
    next.position = ss.position;
    next.position.play(move);
    shared_.tt.prefetch(next.position.key());
    accumulators_.push(static_cast<std::size_t>(next.ply), move, next.position);
    keys_.push_back(next.position.key());
    nodes_.increment();
}

void Worker::make_null_move(StackEntry& ss) {
    assert(!ss.position.in_check());
    ss.move.reset();
    ss.reduction = 0;
    ss.continuation = &histories_.no_continuation();
    StackEntry& next = child(ss);
    next.position = ss.position;
    next.position.play_null_move();
    next.double_extensions = ss.double_extensions;
    shared_.tt.prefetch(next.position.key());
    accumulators_.push(static_cast<std::size_t>(next.ply), std::nullopt, next.position);
    keys_.push_back(next.position.key());
    nodes_.increment();
}

bool Worker::should_stop() {
    if (!control_) {
        stopped_ = stopped_ || shared_.stop.load(std::memory_order_relaxed);
        return stopped_;
    }
    // Adding up the nodes of all threads at every node would cost too much.
    constexpr std::uint64_t nodes_between_sums = 256;
    const auto own = nodes_.value();
    if (own % nodes_between_sums == 0)
        other_threads_nodes_ = shared_.total_nodes() - own;
    stopped_ = stopped_ || control_->should_stop(other_threads_nodes_ + own);
    return stopped_;
}

bool Worker::is_draw(const StackEntry& ss) const {
    // Mate on the hundredth ply wins.
    if (ss.position.halfmove_clock() >= 100
        && (!ss.position.in_check() || core::count_legal_moves(ss.position) > 0))
        return true;
    return is_repetition(ss) || ss.position.has_insufficient_material();
}

bool Worker::is_repetition(const StackEntry& ss) const {
    const auto last = keys_.size() - 1;
    const auto reach = std::min(static_cast<std::size_t>(ss.position.halfmove_clock()), last);
    int repetitions = 0;
    for (std::size_t back = 4; back <= reach; back += 2) {
        if (keys_[last - back] != ss.position.key())
            continue;
        // Score a repetition inside the search as a draw at once: if repeating is good, it can be
        // repeated again. Positions of the game must have occurred twice.
        if (back < static_cast<std::size_t>(ss.ply) || ++repetitions == 2)
            return true;
    }
    return false;
}

Score Worker::raw_evaluation(const StackEntry& ss) {
    if (shared_.evaluated != nullptr)
        shared_.evaluated->offer(ss.position);
    const Score score =
        shared_.evaluate(accumulators_, static_cast<std::size_t>(ss.ply), ss.position);
    return shared_.noise.is_on() ? shared_.noise.disturbed(score, ss.position) : score;
}

HistoryContext Worker::history_context(const StackEntry& ss) {
    HistoryContext context{ss.position};
    context.ply = ss.ply;
    for (std::size_t i = 0; i < continuation_plies.size(); ++i) {
        const int plies = continuation_plies[i];
        context.continuations[i] =
            ss.ply >= plies ? stack_at(ss.ply - plies).continuation : &histories_.no_continuation();
    }
    return context;
}

}  // namespace engine::search
