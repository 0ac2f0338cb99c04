#include <algorithm>
#include <cassert>

#include "engine/search/see.hpp"
#include "engine/search/worker.hpp"

namespace engine::search {

namespace {

/// Futility pruning: what a capture can come to at best (the evaluation, a margin, and the captured
/// piece unless the exchange wins nothing) if that does not raise alpha, so that the capture need
/// not be searched. Neither in check nor in lost endgames: capturing the last piece that can mate
/// is worth far more than the piece.
std::optional<Score> futility_bound(const StackEntry& ss,
                                    SearchArgs args,
                                    const Node& node,
                                    Score best_score,
                                    core::Move capture) {
    if (ss.position.in_check() || capture.is_promotion() || best_score <= -known_win)
        return std::nullopt;
    const Score base = node.eval + parameters::qsearch_futility;
    const auto victim = ss.position.piece_on(capture.to());
    const auto type = victim ? victim->type() : core::PieceType::pawn;
    const Score bound = base + parameters::see_value[core::index_of(type)];
    if (bound <= args.alpha)
        return bound;
    if (base <= args.alpha && !see_ge(ss.position, capture, 1))
        return base;
    return std::nullopt;
}

}  // namespace

/// Quiescence search: only captures and promotions that SEE does not lose, and every move out of
/// check, until the static evaluation can be trusted.
template <NodeType type>
Score Worker::qsearch(StackEntry& ss, SearchArgs args) {
    if (should_stop())
        return draw;
    args.depth = 0;
    enter_node<type>(ss, args);
    if (const auto score = draw_or_max_ply(ss))
        return *score;
    args = mate_distance_pruning(ss, args);
    if (args.alpha >= args.beta)
        return args.alpha;
    Node node = probe_tt<type>(ss);
    if (const auto score = tt_cutoff<type>(ss, args, node))
        return *score;
    if (const auto score = stand_pat(ss, args, node))
        return *score;
    return qsearch_moves<type>(ss, args, node);
}

/// Stand pat: nobody has to capture, so except in check the evaluation is a lower bound.
std::optional<Score> Worker::stand_pat(StackEntry& ss, SearchArgs args, Node& node) {
    evaluate(ss, node);
    if (ss.position.in_check() || node.eval < args.beta)
        return std::nullopt;
    if (!node.tt || node.tt->bound() == Bound::none) {
        TTData data;
        data.score = node.eval;
        data.eval = node.raw_eval;
        data.bound = Bound::lower;
        shared_.tt.store(ss.position.key(), ss.ply, data);
    }
    return is_decisive(node.eval) ? node.eval : (node.eval + args.beta) / 2;
}

template <NodeType type>
Score Worker::qsearch_moves(StackEntry& ss, SearchArgs args, const Node& node) {
    constexpr NodeType child_type = type == NodeType::non_pv ? NodeType::non_pv : NodeType::pv;
    const bool in_check = ss.position.in_check();
    const HistoryContext context = history_context(ss);
    MovePicker picker{histories_, context, node.tt_move(),
                      in_check ? MovePicker::Wanted::all : MovePicker::Wanted::noisy};
    Best best;
    if (!in_check) {
        best.score = node.eval;
        args.alpha = std::max(args.alpha, best.score);
    }
    int move_count = 0;
    while (const auto move = picker.next()) {
        ++move_count;
        // Captures come best first: after a few, the others hardly ever raise alpha.
        if (!in_check && move_count > parameters::qsearch_max_moves)
            break;
        if (const auto bound = futility_bound(ss, args, node, best.score, *move)) {
            best.score = std::max(best.score, *bound);
            continue;
        }
        make_move(ss, *move);
        const Score score = -qsearch<child_type>(child(ss), {0, -args.beta, -args.alpha, false});
        unmake_move();
        if (stopped_)
            return draw;
        // After one evasion that does not get mated, skip the remaining quiet evasions.
        if (score > -decisive)
            picker.skip_quiets();
        best.score = std::max(best.score, score);
        if (score <= args.alpha)
            continue;
        best.move = *move;
        if constexpr (type != NodeType::non_pv)
            ss.pv.set(*move, child(ss).pv);
        if (score >= args.beta)
            break;
        args.alpha = score;
    }
    if (in_check && move_count == 0)
        return mated_in(ss.ply);
    store_tt(ss, args, node, best, bound_of<type>(best, args.beta));
    return best.score;
}

template Score Worker::qsearch<NodeType::pv>(StackEntry&, SearchArgs);
template Score Worker::qsearch<NodeType::non_pv>(StackEntry&, SearchArgs);

}  // namespace engine::search
