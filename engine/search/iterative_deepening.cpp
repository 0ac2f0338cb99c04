#include <algorithm>

#include "core/movegen.hpp"

#include "engine/search/worker.hpp"

namespace engine::search {

namespace {

/// Shorter searches report no bounds and no current move.
constexpr Milliseconds min_time_for_currmove{3000};

}  // namespace

void Worker::iterative_deepening() {
    const int max_depth = control_ ? control_->max_depth() : max_ply - 1;
    const int resumed = resume(max_depth);
    for (int depth = std::max(resumed, 1); depth <= max_depth; ++depth) {
        if (depth > resumed)
            search_depth(depth);
        if (stopped_)
            return;
        complete(depth);
        if (!control_)
            continue;
        report(*control_);
        if (control_->enough(finished_iteration()))
            return;
    }
}

/// Records the result of a completed iteration.
void Worker::complete(int depth) {
    const RootMove& best = root_moves_.front();
    completed_depth_ = depth;
    TTData result;
    result.move = best.move;
    result.score = best.score;
    result.depth = depth;
    result.bound = Bound::exact;
    result.tt_pv = true;
    completed_result_ = result;
}

/// Lets an analysis continue where it was saved: takes the root's score and pv from a loaded TT.
/// Returns the depth of that entry, at most `max_depth`; 0 if there is none to use.
int Worker::resume(int max_depth) {
    if (!shared_.tt_is_loaded || multipv_ > 1 || !all_moves_allowed_ || shared_.noise.is_on())
        return 0;
    // TT entries do not depend on repetitions and the fifty-move rule, the search does.
    const auto& root = stack_[0].position;
    const auto occurrences = [&](const core::Position& position) {
        return std::count(keys_.begin(), keys_.end(), position.key());
    };
    constexpr int max_halfmove_clock = 60;
    if (root.halfmove_clock() > max_halfmove_clock || occurrences(root) > 1)
        return 0;
    const auto entry = shared_.tt.probe(root.key(), 0);
    if (!entry || entry->bound() != Bound::exact || !entry->move())
        return 0;
    const auto known = std::find_if(root_moves_.begin(), root_moves_.end(), [&](const auto& move) {
        return move.move == *entry->move() && !move.tb_score;
    });
    if (known == root_moves_.end() || occurrences(root.after(known->move)) > 0)
        return 0;
    const int depth = std::min(entry->depth(), max_depth);
    known->score = entry->score();
    known->depth = std::max(depth, 1);
    known->pv = pv_from_tt(known->move);
    sort_root_moves(0);
    return depth;
}

/// A root move and the exact TT entries that follow it, up to a repetition.
std::vector<core::Move> Worker::pv_from_tt(core::Move first) const {
    std::vector<core::Move> pv{first};
    auto keys = keys_;
    auto position = stack_[0].position.after(first);
    while (pv.size() < static_cast<std::size_t>(max_ply)
           && std::find(keys.begin(), keys.end(), position.key()) == keys.end()) {
        const auto entry = shared_.tt.probe(position.key(), static_cast<int>(pv.size()));
        if (!entry || entry->bound() != Bound::exact || !entry->move()
            || !core::is_legal(position, *entry->move()))
            break;
        pv.push_back(*entry->move());
        keys.push_back(position.key());
        position.play(*entry->move());
    }
    return pv;
}

void Worker::search_depth(int depth) {
    for (RootMove& move : root_moves_)
        move.previous_score = move.score;
    root_depth_ = depth;
    for (pv_index_ = 0; pv_index_ < multipv_ && !stopped_; ++pv_index_) {
        seldepth_ = 0;
        aspiration_search(depth);
        sort_root_moves(0);
    }
}

/// Aspiration windows: searches with a small window around the last score, and widens it as long as
/// the score falls outside.
void Worker::aspiration_search(int depth) {
    const Score previous = root_moves_[pv_index_].previous_score;
    Score delta =
        parameters::aspiration_window + previous * previous / parameters::aspiration_score_divisor;
    Score alpha = -infinite;
    Score beta = infinite;
    if (depth >= parameters::aspiration_depth && !is_decisive(previous)) {
        alpha = std::max(previous - delta, -infinite);
        beta = std::min(previous + delta, infinite);
    }
    int reduced_depth = depth;
    for (;;) {
        const Score score = search<NodeType::root>(stack_[0], {reduced_depth, alpha, beta});
        sort_root_moves(pv_index_);
        if (stopped_)
            return;
        if (score <= alpha) {
            report_bound();
            beta = (alpha + beta) / 2;
            alpha = is_decisive(score) ? -infinite : std::max(score - delta, -infinite);
            reduced_depth = depth;
        }
        else if (score >= beta) {
            report_bound();
            beta = is_decisive(score) ? infinite : std::min(score + delta, infinite);
            reduced_depth = std::max({1, reduced_depth - 1, depth - 3});
        }
        else {
            return;
        }
        delta += delta / 2;
    }
}

/// Stable, so that among equal moves the one that was better before stays ahead.
void Worker::sort_root_moves(std::size_t from) {
    std::stable_sort(root_moves_.begin() + static_cast<std::ptrdiff_t>(from), root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) {
                         if (a.tb_rank != b.tb_rank)
                             return a.tb_rank > b.tb_rank;
                         return a.score != b.score ? a.score > b.score
                                                   : a.previous_score > b.previous_score;
                     });
}

Iteration Worker::finished_iteration() const {
    const RootMove& best = root_moves_.front();
    Iteration iteration;
    iteration.depth = completed_depth_;
    iteration.nodes = nodes_.value();
    iteration.score = best.score;
    iteration.best_move = best.move;
    const auto all = std::max<std::uint64_t>(1, iteration.nodes);
    iteration.best_move_share = static_cast<double>(best.nodes) / static_cast<double>(all);
    iteration.forced = root_moves_.size() == 1 || root_moves_[1].tb_rank != best.tb_rank;
    return iteration;
}

Info Worker::info(std::size_t index, SearchControl& control) const {
    const RootMove& move = root_moves_[index];
    const bool searched = move.score != -infinite;
    Info info;
    info.depth = searched ? move.depth : std::max(1, completed_depth_);
    info.seldepth = std::max(move.seldepth, info.depth);
    info.multipv = static_cast<int>(index) + 1;
    info.score = searched ? move.score : move.previous_score;
    if (info.score == -infinite)
        info.score = shared_.evaluate(stack_[0].position);
    info.bound = searched ? move.bound : Bound::exact;
    if (move.tb_score && !is_mate(info.score)) {
        info.score = *move.tb_score;
        info.bound = Bound::exact;
    }
    info.nodes = shared_.total_nodes();
    info.time = control.elapsed();
    info.hashfull = shared_.tt.hashfull();
    info.tbhits = shared_.total_tbhits();
    info.pv = move.pv;
    return info;
}

void Worker::report(SearchControl& control, bool best_move_follows) const {
    if (!control.wants_reports())
        return;
    for (std::size_t index = 0; index < multipv_; ++index) {
        const RootMove& move = root_moves_[index];
        // A search that is stopped at once has not come to the other lines.
        if (index > 0 && move.score == -infinite && move.previous_score == -infinite)
            break;
        Info info = this->info(index, control);
        info.best_move_follows = best_move_follows;
        reported_nodes_ = info.nodes;
        control.report(std::move(info));
    }
}

/// Whether bounds and the current move are reported.
bool Worker::reports_progress() const {
    return control_ && control_->wants_reports() && control_->elapsed() > min_time_for_currmove;
}

void Worker::report_bound() const {
    if (multipv_ == 1 && reports_progress())
        control_->report(info(pv_index_, *control_));
}

void Worker::report_currmove(core::Move move, int number) {
    if (reports_progress())
        control_->report(CurrentMove{move, number});
}

}  // namespace engine::search
