#include <algorithm>

#include "engine/search/reductions.hpp"
#include "engine/search/worker.hpp"

namespace engine {

template <NodeKind kind>
void Worker::search_moves(Node& node) {
    node.move_count = 0;
    node.best_score = -infinite;
    node.best_move.reset();
    node.tried_quiets.clear();
    node.tried_noisies.clear();
    child_of(child_of(node)).killers = {};
    child_of(child_of(node)).cutoffs = 0;

    node.threats = threats_in(node.position);
    MovePicker picker{picker_context(node), MovePicker::Wanted::all};
    while (const auto move = next_move<kind>(node, picker)) {
        ++node.move_count;
        const bool noisy = node.position.is_noisy(*move);
        const Candidate candidate{*move, noisy, node.move_count, history_of(node, *move, noisy)};
        if (kind != NodeKind::root && is_hopeless(node, candidate, picker))
            continue;
        const Score score = search_move<kind>(node, candidate);
        if (stopped_ || take_score<kind>(node, candidate, score))
            return;
    }
}

template <NodeKind kind>
std::optional<core::Move> Worker::next_move(Node& node, MovePicker& picker) {
    if constexpr (kind == NodeKind::root) {
        const auto index = line_index_ + static_cast<std::size_t>(node.move_count);
        if (index >= root_moves_.size())
            return std::nullopt;
        report_current_move(root_moves_[index].move, static_cast<int>(index) + 1);
        return root_moves_[index].move;
    }
    auto move = picker.next();
    if (move && move == node.excluded)
        move = picker.next();
    return move;
}

/// The first move gets the whole window; the others must first show, reduced and with an empty
/// window, that they are better at all (principal variation search).
template <NodeKind kind>
Score Worker::search_move(Node& node, const Candidate& candidate) {
    const auto nodes_before = nodes();
    const bool is_table_move = node.has_table_move() && candidate.move == node.entry->move();
    const int extension = is_table_move ? node.extension : 0;
    const int depth = node.asked.depth - 1 + extension;
    make_move(node, candidate.move);
    child_of(node).double_extensions = node.double_extensions + (extension > 1 ? 1 : 0);

    Score score = -infinite;
    if (candidate.number > 1 || kind == NodeKind::non_pv)
        score = search_later_move<kind>(node, candidate, depth);
    if constexpr (kind != NodeKind::non_pv) {
        if (!stopped_ && (candidate.number == 1 || score > node.asked.alpha))
            score = search_child<NodeKind::pv>(node,
                                               {depth, -node.asked.beta, -node.asked.alpha, false});
    }
    unmake_move();
    if constexpr (kind == NodeKind::root) {
        const auto found =
            std::find_if(root_moves_.begin(), root_moves_.end(),
                         [&](const RootMove& m) { return m.move == candidate.move; });
        found->nodes += nodes() - nodes_before;
    }
    return score;
}

template <NodeKind kind>
Score Worker::search_later_move(Node& node, const Candidate& candidate, int depth) {
    const Score alpha = node.asked.alpha;
    const auto ask = [&](int at_depth, bool expects_cutoff) {
        return search_child<NodeKind::non_pv>(
            node, {at_depth, -alpha - 1, -alpha, expects_cutoff, std::max(0, depth - at_depth)});
    };
    const bool reducible =
        node.asked.depth >= 2 && candidate.number > (kind == NodeKind::root ? 3 : 1);
    if (!reducible)
        return ask(depth, !node.asked.expects_cutoff);

    const int reduced =
        std::clamp(depth - reduction<kind>(node, candidate), std::min(1, depth), depth);
    const Score score = ask(reduced, true);
    if (stopped_ || score <= alpha || reduced >= depth)
        return score;
    // Better than thought: look again without reduction, deeper if it was much better, and remember
    // what came of it.
    const int again = depth + (score > node.best_score + parameters::deeper_margin ? 1 : 0)
                    - (score < node.best_score + parameters::shallower_margin ? 1 : 0);
    const Score result = again > reduced ? ask(again, !node.asked.expects_cutoff) : score;
    if (!stopped_ && !candidate.noisy)
        learn_continuation(node, candidate.move,
                           result > alpha ? history_bonus(depth) : -history_bonus(depth));
    return result;
}

/// How many plies less than usual a late move gets at first. At the root all later moves are
/// refuted: there cutoffs say nothing.
template <NodeKind kind>
int Worker::reduction(const Node& node, const Candidate& candidate) {
    const int depth = node.asked.depth;
    int parts = candidate.noisy ? noisy_reduction(depth, candidate.number)
                                : quiet_reduction(depth, candidate.number);
    parts -= candidate.history * ply_parts / parameters::reduction_history_divisor;
    parts -= node.on_pv ? parameters::reduction_on_pv : 0;
    parts -= child_of(node).in_check() ? parameters::reduction_check : 0;
    parts += node.asked.expects_cutoff ? parameters::reduction_cut_node : 0;
    parts += kind != NodeKind::root && child_of(node).cutoffs >= parameters::many_cutoffs
               ? parameters::reduction_cutoffs
               : 0;
    if (!candidate.noisy) {
        parts += node.improving ? 0 : parameters::reduction_not_improving;
        parts += node.has_table_move() && node.position.is_noisy(*node.entry->move())
                   ? parameters::reduction_noisy_table_move
                   : 0;
        parts -= candidate.move == node.killers[0] || candidate.move == node.killers[1]
                   ? parameters::reduction_killer
                   : 0;
    }
    return parts / ply_parts;
}

/// Keeps what a move's score says about the node; true when it settles the node.
template <NodeKind kind>
bool Worker::take_score(Node& node, const Candidate& candidate, Score score) {
    if constexpr (kind == NodeKind::root)
        keep_root_score(node, candidate.move, score);
    Question& asked = node.asked;
    node.best_score = std::max(node.best_score, score);
    if (score > asked.alpha) {
        node.best_move = candidate.move;
        if constexpr (kind != NodeKind::non_pv)
            node.line.set(candidate.move, child_of(node).line);
        if (score >= asked.beta) {
            ++node.cutoffs;
            learn_from_cutoff(node);
            return true;
        }
        asked.alpha = score;
    }
    (candidate.noisy ? node.tried_noisies : node.tried_quiets).add(candidate.move);
    return false;
}

/// Only the first move and those that beat it get a score, or a bound where it lies outside the
/// window; of the others no more is known than that they are not better.
void Worker::keep_root_score(Node& node, core::Move move, Score score) {
    const auto found = std::find_if(root_moves_.begin(), root_moves_.end(),
                                    [&](const RootMove& other) { return other.move == move; });
    if (node.move_count > 1 && score <= node.asked.alpha) {
        found->score = -infinite;
        return;
    }
    Line line;
    line.set(move, child_of(node).line);
    found->score = score;
    found->bound = score <= node.asked.alpha ? Bound::upper
                 : score >= node.asked.beta  ? Bound::lower
                                             : Bound::exact;
    found->depth = root_depth_;
    found->selective_depth = selective_depth_;
    found->line = line.moves();
}

template void Worker::search_moves<NodeKind::root>(Node&);
template void Worker::search_moves<NodeKind::pv>(Node&);
template void Worker::search_moves<NodeKind::non_pv>(Node&);

}  // namespace engine
