#include <algorithm>

#include "engine/evaluate/endings.hpp"
#include "engine/search/worker.hpp"

namespace engine {

/// Searches captures and promotions (and every move out of check) until the position is quiet
/// enough for its evaluation to be trusted.
template <NodeKind kind>
Score Worker::quiescence(Node& node) {
    if (should_stop())
        return draw;
    if (const auto score = leave_early<kind>(node))
        return *score;
    node.asked.depth = 0;
    read_table<kind>(node);
    if (const auto score = cut_by_table<kind>(node))
        return *score;
    if (const auto score = stand_pat<kind>(node))
        return *score;
    search_exchanges<kind>(node);
    return finish_node<kind>(node);
}

/// The player need not capture: the evaluation is the least to be had, except in check.
template <NodeKind kind>
std::optional<Score> Worker::stand_pat(Node& node) {
    node.best_score = -infinite;
    node.best_move.reset();
    node.move_count = 0;
    if (node.in_check())
        return std::nullopt;
    evaluate_node(node);
    node.best_score = node.evaluation;
    if (node.best_score >= node.asked.beta) {
        if (!node.entry) {
            Finding finding;
            finding.score = node.best_score;
            finding.evaluation = node.raw_evaluation;
            finding.bound = Bound::lower;
            shared_.table.store(node.position.key(), node.ply, finding);
        }
        return is_decisive(node.best_score) ? node.best_score
                                            : (node.best_score + node.asked.beta) / 2;
    }
    node.asked.alpha = std::max(node.asked.alpha, node.best_score);
    // Standing pat is a move of its own: a node without captures is neither mate nor stalemate.
    node.move_count = 1;
    return std::nullopt;
}

template <NodeKind kind>
void Worker::search_exchanges(Node& node) {
    constexpr NodeKind below = kind == NodeKind::non_pv ? NodeKind::non_pv : NodeKind::pv;
    const bool in_check = node.in_check();
    if (in_check)
        node.threats = threats_in(node.position);
    MovePicker picker{picker_context(node),
                      in_check ? MovePicker::Wanted::all : MovePicker::Wanted::noisy};
    Question& asked = node.asked;
    while (const auto move = picker.next()) {
        ++node.move_count;
        // Where everything hangs, the best few exchanges must do.
        if (!in_check && node.move_count > parameters::quiescence_moves + 1)
            break;
        // To capture the last piece that could mate is worth far more than the piece.
        if (!in_check && !move->is_promotion() && node.best_score > -certain_win) {
            const auto victim = node.position.piece_on(move->to());
            const auto type = victim ? victim->type() : core::PieceType::pawn;
            const Score hope = node.evaluation + parameters::quiescence_futility
                             + parameters::exchange_value[core::index_of(type)];
            if (hope <= asked.alpha) {
                node.best_score = std::max(node.best_score, hope);
                continue;
            }
        }
        make_move(node, *move);
        const Score score = search_child<below>(node, {0, -asked.beta, -asked.alpha, false});
        unmake_move();
        if (stopped_)
            return;
        // Out of check by one safe way: the other quiet ways are not needed.
        if (score > -decisive)
            picker.skip_quiets();
        node.best_score = std::max(node.best_score, score);
        if (score <= asked.alpha)
            continue;
        node.best_move = *move;
        if constexpr (kind != NodeKind::non_pv)
            node.line.set(*move, child_of(node).line);
        if (score >= asked.beta)
            return;
        asked.alpha = score;
    }
}

template Score Worker::quiescence<NodeKind::pv>(Node&);
template Score Worker::quiescence<NodeKind::non_pv>(Node&);
template Score Worker::quiescence<NodeKind::root>(Node&);

}  // namespace engine
