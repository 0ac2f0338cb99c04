#include <algorithm>

#include "core/movegen.hpp"

#include "engine/search/worker.hpp"

namespace engine {

namespace {

/// Nodes beyond the longest line, so that a node may always look at its children's children.
constexpr std::size_t spare_nodes = 4;
/// Before this, a search does not tell about bounds and single moves: nobody could read it.
constexpr Milliseconds quiet_time{3000};

}  // namespace

Worker::Worker(SharedSearch& shared)
    : shared_{shared},
      line_(max_ply + spare_nodes),
      accumulators_{*shared.network, line_.size()} {
    for (std::size_t ply = 0; ply < line_.size(); ++ply)
        line_[ply].ply = static_cast<int>(ply);
}

void Worker::take_network() {
    accumulators_ = {*shared_.network, line_.size()};
}

void Worker::prepare(const SearchRequest& request, SearchControl* control) {
    control_ = control;
    stopped_ = false;
    castling_ = request.castling;
    show_chances_ = request.show_chances;
    root_moves_.clear();
    for (const core::Move move : request.root_moves) {
        RootMove root_move;
        root_move.move = move;
        root_move.line = {move};
        root_moves_.push_back(root_move);
    }
    line_count_ = std::min(static_cast<std::size_t>(request.multi_pv), root_moves_.size());
    all_moves_allowed_ =
        core::count_legal_moves(request.game.position()) == static_cast<int>(root_moves_.size());
    // A draw is at hand after a hundred plies, so older positions cannot come back.
    constexpr std::size_t longest_memory = 101;
    const auto keys = request.game.keys();
    const auto kept = std::min(keys.size(), longest_memory);
    keys_.assign(keys.end() - static_cast<std::ptrdiff_t>(kept), keys.end());
    keys_.reserve(kept + max_ply + spare_nodes);
    for (Node& node : line_) {
        node.killers = {};
        node.cutoffs = 0;
    }
    line_[0].position = request.game.position();
    accumulators_.begin(line_[0].position);
    line_[0].double_extensions = 0;
    nodes_.store(0, std::memory_order_relaxed);
    reported_nodes_.reset();
    seen_nodes_of_all_ = 0;
    root_depth_ = completed_depth_ = 0;
}

void Worker::deepen() {
    const int deepest = control_ ? control_->deepest() : max_ply - 1;
    for (int depth = 1; depth <= deepest; ++depth) {
        iterate(depth);
        if (stopped_)
            return;
        completed_depth_ = depth;
        if (!control_)
            continue;
        report(*control_);
        if (control_->enough(finished_iteration()))
            return;
    }
}

void Worker::iterate(int depth) {
    for (RootMove& move : root_moves_)
        move.previous_score = move.score;
    root_depth_ = depth;
    for (line_index_ = 0; line_index_ < line_count_ && !stopped_; ++line_index_) {
        selective_depth_ = 0;
        aspire(depth);
        sort_root_moves(0);
    }
}

/// Searches with a small window around the last score, and a wider one as long as the score
/// falls outside.
void Worker::aspire(int depth) {
    const Score last = root_moves_[line_index_].previous_score;
    Score delta =
        parameters::aspiration_window + last * last / parameters::aspiration_score_divisor;
    Score alpha = -infinite;
    Score beta = infinite;
    if (depth >= parameters::aspiration_depth && !is_decisive(last)) {
        alpha = std::max(last - delta, -infinite);
        beta = std::min(last + delta, infinite);
    }
    int reduced = depth;
    for (;;) {
        const Score score = search_root(reduced, alpha, beta);
        sort_root_moves(line_index_);
        if (stopped_)
            return;
        if (score <= alpha) {
            report_bound();
            beta = (alpha + beta) / 2;
            alpha = is_decisive(score) ? -infinite : std::max(score - delta, -infinite);
            reduced = depth;
        }
        else if (score >= beta) {
            report_bound();
            beta = is_decisive(score) ? infinite : std::min(score + delta, infinite);
            reduced = std::max({1, reduced - 1, depth - 3});
        }
        else {
            return;
        }
        delta += delta / 2;
    }
}

Score Worker::search_root(int depth, Score alpha, Score beta) {
    Node& root = line_[0];
    root.asked = {depth, alpha, beta, false};
    return search_node<NodeKind::root>(root);
}

/// Moves of equal score keep their order, so what was better before stays ahead.
void Worker::sort_root_moves(std::size_t from) {
    std::stable_sort(root_moves_.begin() + static_cast<std::ptrdiff_t>(from), root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) {
                         return a.score != b.score ? a.score > b.score
                                                   : a.previous_score > b.previous_score;
                     });
}

Iteration Worker::finished_iteration() const {
    const RootMove& best = root_moves_.front();
    Iteration iteration;
    iteration.depth = completed_depth_;
    iteration.nodes = nodes();
    iteration.score = best.score;
    iteration.best_move = best.move;
    const auto all = std::max<std::uint64_t>(1, iteration.nodes);
    iteration.best_move_share = static_cast<double>(best.nodes) / static_cast<double>(all);
    iteration.forced = root_moves_.size() == 1;
    return iteration;
}

Info Worker::describe(std::size_t index, SearchControl& control) const {
    const RootMove& move = root_moves_[index];
    const bool searched = move.score != -infinite;
    Info info;
    info.depth = searched ? move.depth : std::max(1, completed_depth_);
    info.selective_depth = std::max(move.selective_depth, info.depth);
    info.line_number = static_cast<int>(index) + 1;
    info.score = searched ? move.score : move.previous_score;
    if (info.score == -infinite)
        info.score = draw;
    if (show_chances_)
        info.chances = chances_of(info.score, line_[0].position);
    info.score = told(info.score);
    info.bound = searched ? move.bound : Bound::exact;
    info.nodes = shared_.nodes_of_all();
    info.time = control.elapsed();
    info.table_permill = shared_.table.permill_used();
    info.line = move.line;
    info.castling = castling_;
    return info;
}

void Worker::report(SearchControl& control) const {
    if (control.is_silent())
        return;
    for (std::size_t index = 0; index < line_count_; ++index) {
        const Info info = describe(index, control);
        reported_nodes_ = info.nodes;
        control.report(info);
    }
}

void Worker::report_bound() const {
    if (control_ && line_count_ == 1 && control_->elapsed() > quiet_time)
        control_->report(describe(line_index_, *control_));
}

void Worker::report_current_move(core::Move move, int number) {
    if (control_ && control_->elapsed() > quiet_time)
        control_->report(CurrentMove{move, number, castling_});
}

}  // namespace engine
