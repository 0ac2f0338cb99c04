#include <algorithm>

#include "engine/search/reductions.hpp"
#include "engine/search/see.hpp"
#include "engine/search/worker.hpp"

namespace engine {

namespace {

/// The mover's pieces that are neither pawn nor king.
core::Bitboard non_pawn_pieces(const core::Position& position) {
    return position.pieces(position.side_to_move())
         & ~position.pieces(core::PieceType::pawn, core::PieceType::king);
}

/// Null move is unsound where having to move is a burden: mostly in pawn endings, and with a
/// single piece often enough that there should be depth for the truth (Weiss' rule).
bool may_pass(const core::Position& position, int depth) {
    return non_pawn_pieces(position).count()
         > (depth > parameters::null_move_single_piece_depth ? 1 : 0);
}

}  // namespace

/// A reduced move that has cost its player something, by the evaluations before it and after it,
/// takes less depth to refute.
void Worker::use_hindsight(Node& node) {
    Question& asked = node.asked;
    if (asked.reduction < 2 || asked.depth < 2 || node.in_check())
        return;
    const Node& before = earlier(node, 1);
    if (!before.in_check()
        && node.static_evaluation + before.static_evaluation > parameters::hindsight_margin)
        --asked.depth;
}

/// Settles a node without looking at its moves, where its evaluation is far from the window.
template <NodeKind kind>
std::optional<Score> Worker::prune_node(Node& node) {
    Question& asked = node.asked;
    if (kind == NodeKind::non_pv && !node.in_check() && !node.excluded) {
        // Reverse futility: so far above beta that a few plies will hardly change it.
        const int margin =
            parameters::reverse_futility_margin * (asked.depth - (node.improving ? 1 : 0));
        if (asked.depth <= parameters::reverse_futility_depth && !is_decisive(asked.beta)
            && node.evaluation - margin >= asked.beta)
            return (node.evaluation + asked.beta) / 2;
        if (const auto score = try_razoring(node))
            return score;
        if (const auto score = try_null_move(node))
            return score;
    }
    // Without a move from the table this depth is not worth its price yet.
    if (asked.depth >= parameters::internal_reduction_depth && !node.has_table_move()
        && !node.excluded && (kind == NodeKind::pv || asked.expects_cutoff))
        --asked.depth;
    return std::nullopt;
}

/// So far below alpha that only captures can help: if they do not, nothing will.
std::optional<Score> Worker::try_razoring(Node& node) {
    const int depth = node.asked.depth;
    const int margin = parameters::razoring_base + parameters::razoring_margin * depth * depth;
    if (depth > parameters::razoring_depth || node.evaluation + margin > node.asked.alpha)
        return std::nullopt;
    const Question asked = node.asked;
    const auto entry = node.entry;
    node.asked.beta = asked.alpha + 1;
    const Score score = quiescence<NodeKind::non_pv>(node);
    node.asked = asked;
    node.entry = entry;
    if (stopped_ || score <= asked.alpha)
        return score;
    return std::nullopt;
}

/// If the opponent may move twice and we are still above beta, a move of our own will be too.
std::optional<Score> Worker::try_null_move(Node& node) {
    const Question& asked = node.asked;
    const bool passed_before = node.ply > 0 && !earlier(node, 1).move;
    if (asked.depth < parameters::null_move_depth || passed_before || node.evaluation < asked.beta
        || node.static_evaluation < asked.beta - parameters::null_move_slack
        || is_decisive(asked.beta) || !may_pass(node.position, asked.depth))
        return std::nullopt;
    if (node.entry && node.entry->bound() == Bound::upper && node.entry->score() < asked.beta)
        return std::nullopt;
    const int by_score =
        std::min((node.evaluation - asked.beta) / parameters::null_move_score_divisor,
                 parameters::null_move_most_by_score);
    const int reduction =
        parameters::null_move_base + asked.depth / parameters::null_move_depth_divisor + by_score;
    pass(node);
    const Score score = search_child<NodeKind::non_pv>(
        node, {asked.depth - reduction, -asked.beta, -asked.beta + 1, !asked.expects_cutoff});
    unmake_move();
    if (stopped_)
        return draw;
    if (score < asked.beta)
        return std::nullopt;
    return is_decisive(score) ? asked.beta : score;
}

/// Whether a move is not worth making: it comes late, or has done badly, or loses material, and
/// little depth is left to prove otherwise.
bool Worker::is_hopeless(const Node& node, const Candidate& candidate, MovePicker& picker) const {
    if (node.best_score <= -decisive || non_pawn_pieces(node.position).empty())
        return false;
    const int depth = node.asked.depth;
    if (candidate.noisy)
        return depth <= parameters::see_pruning_depth && !picker.knows_that_it_wins()
            && !exchange_wins(node.position, candidate.move, -parameters::see_noisy_margin * depth);

    if (picker.gives_check(candidate.move) && exchange_wins(node.position, candidate.move, 0))
        return false;
    const int allowed = (parameters::late_move_base + depth * depth) / (node.improving ? 1 : 2);
    if (candidate.number > allowed)
        picker.skip_quiets();
    const int left = std::max(0, depth - 1 - quiet_reduction(depth, candidate.number) / ply_parts
                                     + candidate.history / parameters::reduction_history_divisor);
    if (!node.in_check() && left <= parameters::futility_depth
        && node.evaluation + parameters::futility_base + parameters::futility_margin * left
               <= node.asked.alpha)
        return true;
    if (left <= parameters::history_pruning_depth
        && candidate.history < -parameters::history_pruning_margin * depth)
        return true;
    return !exchange_wins(node.position, candidate.move,
                          -parameters::see_quiet_margin * left * left);
}

template std::optional<Score> Worker::prune_node<NodeKind::root>(Node&);
template std::optional<Score> Worker::prune_node<NodeKind::pv>(Node&);
template std::optional<Score> Worker::prune_node<NodeKind::non_pv>(Node&);

}  // namespace engine
