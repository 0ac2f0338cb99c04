// One node of the search, in reading order:
//
//   search                      the table of contents: every step of a node
//     enter_node, draw_or_max_ply, mate_distance_pruning
//     probe_tt, tt_cutoff, prefetch_tt_move
//     tablebase_cutoff          endgame tables
//     evaluate                  static evaluation, corrected and improved by the TT
//     keep_evaluation           stores it in the TT
//     hindsight
//     prune_node                reverse futility pruning, razoring, null move pruning
//     internal_iterative_reduction
//     singular_extension        and multi-cut, negative extensions
//     search_moves              the moves loop
//       prune_move              late move, futility, history and SEE pruning
//       search_move             principal variation search
//         search_later_move     late move reductions and the re-search
//           lmr_reduction
//     update_histories, store_tt
//
// Quiescence search is in quiescence.cpp; making moves, draws and stopping in worker.cpp.

#include <algorithm>
#include <cassert>

#include "core/movegen.hpp"

#include "engine/search/lmr.hpp"
#include "engine/search/see.hpp"
#include "engine/search/worker.hpp"

namespace engine::search {

namespace {

/// From this halfmove clock on, TT scores are not trusted: the fifty-move rule may come first.
constexpr int max_tt_cutoff_halfmove_clock = 90;

bool bound_allows_cutoff(const TTEntry& entry, SearchArgs args) {
    switch (entry.bound()) {
        case Bound::exact: return true;
        case Bound::lower: return entry.score() >= args.beta;
        case Bound::upper: return entry.score() <= args.alpha;
        default: return false;
    }
}

/// Whether a score is no mate, or one that comes before the fifty-move rule ends the game. Captures
/// and pawn moves on the way to it may give it more time, but only a search can find that out.
bool mate_is_in_time(const StackEntry& ss, Score score) {
    constexpr int fifty_moves = 100;
    return !is_mate(score)
        || plies_to_mate(score) - ss.ply + ss.position.halfmove_clock() <= fifty_moves;
}

core::Bitboard non_pawn_pieces_of_stm(const core::Position& position) {
    return position.pieces(position.side_to_move())
         & ~position.pieces(core::PieceType::pawn, core::PieceType::king);
}

/// Null move pruning fails in zugzwang: mostly in pawn endings, and with a single piece often
/// enough to want more depth (as in Weiss).
bool null_move_allowed(const core::Position& position, int depth) {
    return non_pawn_pieces_of_stm(position).count()
         > (depth > parameters::nmp_single_piece_depth ? 1 : 0);
}

/// Scales an evaluation by the pieces of both sides: with fewer of them an advantage is harder to
/// win.
Score scaled_by_pieces(const core::Position& position, Score evaluation) {
    using core::PieceType;
    constexpr int all = 8 * 3 + 4 * 5 + 2 * 9;
    const int pieces = 3 * position.pieces(PieceType::knight, PieceType::bishop).count()
                     + 5 * position.pieces(PieceType::rook).count()
                     + 9 * position.pieces(PieceType::queen).count();
    return evaluation * (parameters::eval_scale_base + pieces * parameters::eval_scale_pieces / all)
         / 1000;
}

/// Without a TT move a node is searched with less depth: the next iteration will have one.
template <NodeType type>
SearchArgs internal_iterative_reduction(SearchArgs args, const Node& node) {
    if (args.depth >= parameters::iir_depth && !node.tt_move()
        && (type == NodeType::pv || args.cut_node))
        --args.depth;
    return args;
}

}  // namespace

template <NodeType type>
Score Worker::search(StackEntry& ss, SearchArgs args) {
    if constexpr (type != NodeType::root) {
        if (args.depth <= 0)
            return qsearch<type>(ss, args);
    }
    if (should_stop())
        return draw;
    enter_node<type>(ss, args);
    if constexpr (type != NodeType::root) {
        if (const auto score = draw_or_max_ply(ss))
            return *score;
        args = mate_distance_pruning(ss, args);
        if (args.alpha >= args.beta)
            return args.alpha;
    }
    Node node = probe_tt<type>(ss);
    if (const auto score = tt_cutoff<type>(ss, args, node))
        return *score;
    if (const auto score = tablebase_cutoff<type>(ss, args, node))
        return *score;
    args.alpha = std::max(args.alpha, node.tb_min);
    prefetch_tt_move(ss, node);
    evaluate(ss, node);
    keep_evaluation(ss, node);
    args = hindsight(ss, args);
    if (const auto score = prune_node<type>(ss, args, node))
        return *score;
    args = internal_iterative_reduction<type>(args, node);
    if (const auto score = singular_extension<type>(ss, args, node))
        return *score;
    return search_moves<type>(ss, args, node);
}

template <NodeType type>
void Worker::enter_node(StackEntry& ss, [[maybe_unused]] SearchArgs args) {
    assert(-infinite <= args.alpha && args.alpha < args.beta && args.beta <= infinite);
    assert(type != NodeType::non_pv || args.alpha == args.beta - 1);
    assert((type == NodeType::root) == (ss.ply == 0));
    assert(ss.ply <= max_ply && args.depth >= 0);
    assert(keys_.back() == ss.position.key());
    if constexpr (type != NodeType::non_pv)
        ss.pv.clear();
    seldepth_ = std::max(seldepth_, ss.ply);
}

std::optional<Score> Worker::draw_or_max_ply(const StackEntry& ss) {
    if (is_draw(ss))
        return draw;
    if (ss.ply >= max_ply)
        return ss.position.in_check() ? draw : raw_evaluation(ss);
    return std::nullopt;
}

template <NodeType type>
Node Worker::probe_tt(const StackEntry& ss) const {
    Node node;
    node.tt = shared_.tt.probe(ss.position.key(), ss.ply);
    node.tt_pv = type != NodeType::non_pv || (node.tt && node.tt->tt_pv());
    // At the root the best move of the last iteration is better than what the TT says.
    if (type == NodeType::root && node.tt)
        node.tt = node.tt->with_move(root_moves_[pv_index_].move);
    return node;
}

template <NodeType type>
std::optional<Score> Worker::tt_cutoff(const StackEntry& ss, SearchArgs args, const Node& node) {
    if (type != NodeType::non_pv || !node.tt || node.tt->depth() < args.depth
        || ss.position.halfmove_clock() >= max_tt_cutoff_halfmove_clock
        || !bound_allows_cutoff(*node.tt, args) || !mate_is_in_time(ss, node.tt->score()))
        return std::nullopt;
    if (args.depth > 0 && node.tt->score() >= args.beta)
        update_histories_on_tt_cutoff(ss, args, node);
    return node.tt->score();
}

/// Prefetching: the TT move is mostly searched first, so its position's TT entry is loaded while
/// this node is evaluated.
void Worker::prefetch_tt_move(const StackEntry& ss, const Node& node) const {
    // It may belong to another position with the same key.
    if (const auto move = node.tt_move(); move && ss.position.piece_on(move->from()))
        shared_.tt.prefetch(ss.position.prefetch_key(*move));
}

/// Probes the endgame tables after a capture or pawn move. Their result settles the node, except
/// that in a PV node a win may still be a mate: there it bounds the score.
template <NodeType type>
std::optional<Score> Worker::tablebase_cutoff(const StackEntry& ss, SearchArgs args, Node& node) {
    const TablebaseUse& use = shared_.tablebases;
    if (type == NodeType::root || use.probe_limit == 0)
        return std::nullopt;
    const int men = ss.position.pieces().count();
    if (men > use.probe_limit || (men == use.probe_limit && args.depth < use.probe_depth)
        || ss.position.halfmove_clock() != 0 || !ss.position.castling_rooks().empty())
        return std::nullopt;
    const auto result = use.tables->probe_wdl(ss.position);
    // Reading from a disk takes time.
    if (control_)
        control_->check_soon();
    if (!result)
        return std::nullopt;
    tbhits_.increment();
    const int wdl = tablebase::value_of(*result);
    const int decided = use.fifty_move_rule ? 2 : 1;
    TTData data;
    data.bound = wdl >= decided ? Bound::lower : wdl <= -decided ? Bound::upper : Bound::exact;
    data.score = data.bound == Bound::exact ? draw + wdl  // a cursed win is just above a draw
               : wdl > 0                    ? tablebase_win - ss.ply
                                            : ss.ply - tablebase_win;
    if (data.bound == Bound::exact
        || (data.bound == Bound::lower ? data.score >= args.beta : data.score <= args.alpha)) {
        // No search of this node would learn more.
        constexpr int extra_depth = 6;
        data.depth = std::min(args.depth + extra_depth, max_ply - 1);
        data.tt_pv = node.tt_pv;
        shared_.tt.store(ss.position.key(), ss.ply, data);
        return data.score;
    }
    if (type != NodeType::non_pv)
        (data.bound == Bound::lower ? node.tb_min : node.tb_max) = data.score;
    return std::nullopt;
}

void Worker::evaluate(StackEntry& ss, Node& node) {
    if (ss.position.in_check())
        return;
    // Read the correction history before the network, so that its cache misses overlap with
    // inference.
    node.correction = histories_.correction(ss.position);
    const auto tt_eval = node.tt ? node.tt->eval() : std::nullopt;
    node.raw_eval = tt_eval ? *tt_eval : raw_evaluation(ss);
    ss.static_eval = node.raw_eval;
    if (!is_known_result(node.raw_eval)) {
        // Scale the evaluation towards a draw as the fifty-move counter rises.
        const int left = std::max(0, 200 - ss.position.halfmove_clock());
        const Score scaled = scaled_by_pieces(ss.position, node.raw_eval);
        ss.static_eval = clamp_eval((scaled + node.correction) * left / 200);
    }
    node.eval = ss.static_eval;
    if (node.tt && !is_decisive(node.tt->score())) {
        const Score score = node.tt->score();
        const Bound needed = score > node.eval ? Bound::lower : Bound::upper;
        if (node.tt->bound() == Bound::exact || node.tt->bound() == needed)
            node.eval = score;
    }
    node.improving = is_improving(ss);
}

/// Stores a new static evaluation in the TT before anything is searched: a node that pruning leaves
/// stores nothing else, and is often visited again. This saves a tenth of all evaluations.
void Worker::keep_evaluation(const StackEntry& ss, const Node& node) {
    if (node.tt || ss.position.in_check())
        return;
    TTData data;
    data.eval = node.raw_eval;
    data.tt_pv = node.tt_pv;
    shared_.tt.store(ss.position.key(), ss.ply, data);
}

/// Whether the static evaluation is better than at the last own move that was not out of check, or
/// hardly worse.
bool Worker::is_improving(const StackEntry& ss) const {
    for (const int plies : {2, 4}) {
        if (ss.ply < plies)
            break;
        const StackEntry& before = stack_at(ss.ply - plies);
        if (!before.position.in_check())
            return ss.static_eval > before.static_eval - parameters::improving_margin;
    }
    return false;
}

/// Hindsight reduction: a move that LMR reduced and that has cost its player something, by the
/// evaluations before and after it, takes less depth to refute. Hindsight extension: one that LMR
/// reduced much and that has cost nothing deserves more depth.
SearchArgs Worker::hindsight(const StackEntry& ss, SearchArgs args) const {
    if (ss.ply == 0 || args.depth < 2 || ss.position.in_check())
        return args;
    const StackEntry& before = parent(ss);
    if (before.position.in_check())
        return args;
    const Score cost = ss.static_eval + before.static_eval;
    if (before.reduction >= 2 && cost > parameters::hindsight_margin)
        --args.depth;
    if (before.reduction >= parameters::hindsight_extension_reduction && cost <= 0)
        ++args.depth;
    return args;
}

/// Whole-node pruning: returns a score where the evaluation is far from the window.
template <NodeType type>
std::optional<Score> Worker::prune_node(StackEntry& ss, SearchArgs args, const Node& node) {
    if (type != NodeType::non_pv || ss.position.in_check())
        return std::nullopt;
    // Reverse futility pruning: so far above beta that a few plies will hardly change it. A node
    // that may be on the principal variation deserves a search.
    const int margin = parameters::rfp_margin * (args.depth - (node.improving ? 1 : 0));
    if (args.depth <= parameters::rfp_depth && !node.tt_pv && !is_decisive(args.beta)
        && node.eval - margin >= args.beta)
        return (node.eval + args.beta) / 2;
    if (const auto score = razoring(ss, args, node))
        return score;
    return null_move_pruning(ss, args, node);
}

/// Razoring: so far below alpha that only captures can help; quiescence search tells.
std::optional<Score> Worker::razoring(StackEntry& ss, SearchArgs args, const Node& node) {
    const int margin =
        parameters::razoring_base + parameters::razoring_margin * args.depth * args.depth;
    if (args.depth > parameters::razoring_depth || node.eval + margin > args.alpha)
        return std::nullopt;
    const Score score =
        qsearch<NodeType::non_pv>(ss, {0, args.alpha, args.alpha + 1, args.cut_node});
    if (stopped_ || score <= args.alpha)
        return score;
    return std::nullopt;
}

/// Null move pruning, where a cutoff is expected: if the opponent may move twice and the score is
/// still above beta, a move will be above beta too. The reply is no cut node, so there are never
/// two null moves in a row.
std::optional<Score> Worker::null_move_pruning(StackEntry& ss, SearchArgs args, const Node& node) {
    if (!args.cut_node || args.depth < parameters::nmp_depth || ss.ply < null_move_min_ply_
        || node.eval < args.beta || ss.static_eval < args.beta - parameters::nmp_static_margin
        || is_decisive(args.beta) || !null_move_allowed(ss.position, args.depth))
        return std::nullopt;
    if (node.tt && node.tt->bound() == Bound::upper && node.tt->score() < args.beta)
        return std::nullopt;
    const int by_score = std::min((node.eval - args.beta) / parameters::nmp_score_divisor,
                                  parameters::nmp_max_by_score);
    const int reduction =
        parameters::nmp_base + args.depth / parameters::nmp_depth_divisor + by_score;
    make_null_move(ss);
    const Score score = -search<NodeType::non_pv>(
        child(ss), {args.depth - reduction, -args.beta, -args.beta + 1, false});
    unmake_move();
    if (stopped_)
        return draw;
    if (score < args.beta)
        return std::nullopt;
    const bool verified = null_move_verified(ss, args, reduction);
    if (stopped_)
        return draw;
    if (!verified)
        return std::nullopt;
    // A mate after a null move is not proven.
    return is_decisive(score) ? args.beta : score;
}

/// Null move verification: whether a deep cutoff holds in a search without null moves in its upper
/// part. In zugzwang it does not, and no deeper iteration would see that otherwise.
bool Worker::null_move_verified(StackEntry& ss, SearchArgs args, int reduction) {
    if (args.depth < parameters::nmp_verification_depth || null_move_min_ply_ > 0)
        return true;
    const int depth = args.depth - reduction;
    null_move_min_ply_ = ss.ply + std::max(1, 3 * depth / 4);
    const Score score = search<NodeType::non_pv>(ss, {depth, args.beta - 1, args.beta, false});
    null_move_min_ply_ = 0;
    return score >= args.beta;
}

/// Singular extension: searches the node without the TT move. If every other move is clearly worse,
/// the TT move is extended. If another move beats beta too, so will the node (multi-cut). Otherwise
/// the TT move is reduced where a cutoff is expected (negative extension).
template <NodeType type>
std::optional<Score> Worker::singular_extension(StackEntry& ss, SearchArgs args, Node& node) {
    if (type == NodeType::root || args.depth < parameters::singular_depth || !node.tt_move()
        || ss.ply >= 2 * root_depth_)
        return std::nullopt;
    const TTEntry tt = *node.tt;
    if (tt.bound() == Bound::upper || tt.bound() == Bound::none || is_decisive(tt.score())
        || tt.depth() < args.depth - parameters::singular_tt_depth
        || !core::is_legal(ss.position, *tt.move()))
        return std::nullopt;

    const Score singular_beta = tt.score() - parameters::singular_margin * args.depth / 100;
    Node without_tt_move = node;
    without_tt_move.tt.reset();
    without_tt_move.excluded_move = tt.move();
    const Score score = search_moves<NodeType::non_pv>(
        ss, {(args.depth - 1) / 2, singular_beta - 1, singular_beta, args.cut_node},
        without_tt_move);
    if (stopped_)
        return draw;
    if (score < singular_beta) {
        node.extension = 1;
        if (ss.double_extensions < parameters::max_double_extensions) {
            if (type == NodeType::non_pv)
                node.extension +=
                    score < singular_beta - parameters::double_extension_margin ? 1 : 0;
            node.extension += score < singular_beta - parameters::triple_extension_margin ? 1 : 0;
        }
    }
    else if (singular_beta >= args.beta) {
        return singular_beta;
    }
    else if (tt.score() >= args.beta) {
        node.extension = type == NodeType::pv ? -1 : -2;
    }
    else if (args.cut_node) {
        node.extension = -1;
    }
    return std::nullopt;
}

/// The moves loop, up to the result of the node.
template <NodeType type>
Score Worker::search_moves(StackEntry& ss, SearchArgs args, const Node& node) {
    assert(args.depth > 0 && args.alpha < args.beta);
    ss.move_count = 0;
    child(child(ss)).cutoff_count = 0;

    const auto tt_move = node.tt_move();
    const HistoryContext context = history_context(ss);
    MovePicker picker{histories_, context, tt_move, MovePicker::Wanted::all};
    MoveLoop loop{context};
    while (const auto move = next_move<type>(ss, node, picker)) {
        ++ss.move_count;
        Candidate candidate = candidate_of(ss, context, *move);
        if (type != NodeType::root && loop.best.score > -decisive
            && prune_move(ss, args, node, candidate, picker))
            continue;
        candidate.extension = *move == tt_move ? node.extension : 0;
        const Score score = search_move<type>(ss, args, node, loop, candidate);
        if (stopped_)
            return draw;
        if constexpr (type == NodeType::root)
            update_root_move(ss, args, score);
        loop.best.score = std::max(loop.best.score, score);
        if (score > args.alpha) {
            loop.best.move = *move;
            if constexpr (type != NodeType::non_pv)
                ss.pv.set(*move, child(ss).pv);
            if (score >= args.beta) {
                ++ss.cutoff_count;
                update_histories(ss, args, loop);
                break;
            }
            args.alpha = score;
        }
        (candidate.noisy ? loop.noisies_searched : loop.quiets_searched).add(*move);
    }
    return finish_node<type>(ss, args, node, loop.best);
}

template <NodeType type>
std::optional<core::Move> Worker::next_move(const StackEntry& ss,
                                            const Node& node,
                                            MovePicker& picker) {
    if constexpr (type == NodeType::root) {
        const auto index = pv_index_ + static_cast<std::size_t>(ss.move_count);
        if (index >= root_moves_.size()
            || root_moves_[index].tb_rank != root_moves_[pv_index_].tb_rank)
            return std::nullopt;
        report_currmove(root_moves_[index].move, static_cast<int>(index) + 1);
        return root_moves_[index].move;
    }
    auto move = picker.next();
    if (move && move == node.excluded_move)
        move = picker.next();
    return move;
}

Candidate Worker::candidate_of(const StackEntry& ss,
                               const HistoryContext& context,
                               core::Move move) const {
    Candidate candidate;
    candidate.move = move;
    candidate.noisy = ss.position.is_noisy(move);
    candidate.history = candidate.noisy ? histories_.capture_score(ss.position, move)
                                        : histories_.quiet_score(context, move);
    return candidate;
}

/// Shallow pruning: whether a move comes so late, did so badly elsewhere or loses so much material
/// that the remaining depth will not save it.
bool Worker::prune_move(const StackEntry& ss,
                        SearchArgs args,
                        const Node& node,
                        const Candidate& candidate,
                        MovePicker& picker) const {
    // In pawn endings quiet moves that lose something may be the only ones that do not lose.
    if (non_pawn_pieces_of_stm(ss.position).empty())
        return false;
    const int depth = args.depth;
    if (candidate.noisy)
        return depth <= parameters::see_pruning_depth && !picker.last_was_good_capture()
            && !see_ge(ss.position, candidate.move, -parameters::see_noisy_margin * depth);

    // Safe checks are never pruned.
    if (picker.gives_check(candidate.move) && see_ge(ss.position, candidate.move, 0))
        return false;
    // Late move pruning.
    const int lmp_count = (100 * parameters::lmp_base + parameters::lmp_factor * depth * depth)
                        / (node.improving ? 100 : 200);
    if (ss.move_count > lmp_count)
        picker.skip_quiets();
    // Futility pruning, by the depth that LMR would leave.
    const int lmr_depth = std::max(0, depth - 1 - quiet_reduction(depth, ss.move_count) / lmr_unit
                                          + candidate.history / parameters::lmr_history_divisor);
    if (!ss.position.in_check() && lmr_depth <= parameters::futility_depth
        && node.eval + parameters::futility_base + parameters::futility_margin * lmr_depth
               <= args.alpha)
        return true;
    // History pruning.
    if (candidate.history < -parameters::history_pruning_margin * depth)
        return true;
    // SEE pruning.
    return !see_ge(ss.position, candidate.move,
                   -parameters::see_quiet_margin * lmr_depth * lmr_depth);
}

/// Principal variation search: the first move gets the whole window; the others must first show in
/// a reduced null-window search that they are better at all.
template <NodeType type>
Score Worker::search_move(StackEntry& ss,
                          SearchArgs args,
                          const Node& node,
                          const MoveLoop& loop,
                          const Candidate& candidate) {
    const auto nodes_before = nodes_.value();
    const int new_depth = args.depth - 1 + candidate.extension;
    make_move(ss, candidate.move);
    child(ss).double_extensions = ss.double_extensions + (candidate.extension > 1 ? 1 : 0);

    Score score = -infinite;
    if (ss.move_count > 1 || type == NodeType::non_pv)
        score = search_later_move<type>(ss, args, node, loop, candidate);
    if constexpr (type != NodeType::non_pv) {
        if (!stopped_ && (ss.move_count == 1 || score > args.alpha))
            score = -search<NodeType::pv>(child(ss), {new_depth, -args.beta, -args.alpha, false});
    }
    unmake_move();
    if constexpr (type == NodeType::root)
        current_root_move(ss).nodes += nodes_.value() - nodes_before;
    return score;
}

/// The null-window search of a move, by late move reductions where they apply.
template <NodeType type>
Score Worker::search_later_move(StackEntry& ss,
                                SearchArgs args,
                                const Node& node,
                                const MoveLoop& loop,
                                const Candidate& candidate) {
    const int new_depth = args.depth - 1 + candidate.extension;
    const auto null_window = [&](int depth, bool cut_node) {
        return -search<NodeType::non_pv>(child(ss),
                                         {depth, -args.alpha - 1, -args.alpha, cut_node});
    };
    const bool reducible = args.depth >= 2 && ss.move_count > (type == NodeType::root ? 3 : 1);
    if (!reducible)
        return null_window(new_depth, !args.cut_node);

    // In a PV node LMR may also extend, by one ply.
    const int max_depth = new_depth + (type == NodeType::pv ? 1 : 0);
    const int reduced_depth = std::clamp(new_depth - lmr_reduction<type>(ss, args, node, candidate),
                                         std::min(1, new_depth), max_depth);
    ss.reduction = std::max(0, new_depth - reduced_depth);
    const Score reduced_score = null_window(reduced_depth, true);
    ss.reduction = 0;
    if (stopped_ || reduced_score <= args.alpha || reduced_depth >= new_depth)
        return reduced_score;
    // The move is better than expected: search it again without the reduction, deeper if it was
    // much better, and update its history by the result.
    const Score best = loop.best.score;
    const int again_depth = new_depth
                          + (reduced_score > best + parameters::lmr_deeper_margin ? 1 : 0)
                          - (reduced_score < best + parameters::lmr_shallower_margin ? 1 : 0);
    const Score score =
        again_depth > reduced_depth ? null_window(again_depth, !args.cut_node) : reduced_score;
    if (!stopped_ && !candidate.noisy) {
        const int bonus = history_bonus(new_depth);
        histories_.update_continuation(loop.context, candidate.move,
                                       score > args.alpha ? bonus : -bonus);
    }
    return score;
}

/// Late move reduction in plies. To add a term, add a parameter and a line.
template <NodeType type>
int Worker::lmr_reduction(const StackEntry& ss,
                          SearchArgs args,
                          const Node& node,
                          const Candidate& candidate) const {
    int reduction = candidate.noisy ? noisy_reduction(args.depth, ss.move_count)
                                    : quiet_reduction(args.depth, ss.move_count);
    reduction -= candidate.history * lmr_unit / parameters::lmr_history_divisor;
    reduction -= node.tt_pv ? parameters::lmr_tt_pv : 0;
    reduction -= child(ss).position.in_check() ? parameters::lmr_check : 0;
    reduction -= type == NodeType::root ? parameters::lmr_root : 0;
    reduction -= std::min(std::abs(node.correction) * parameters::lmr_correction,
                          int{parameters::lmr_correction_max});
    reduction += args.cut_node ? parameters::lmr_cut_node : 0;
    // Cutoffs among the children mean nothing at the root, where nearly every later move fails low.
    reduction +=
        type != NodeType::root && child(ss).cutoff_count >= parameters::lmr_min_cutoff_count
            ? parameters::lmr_cutoff_count
            : 0;
    if (!candidate.noisy) {
        const auto tt_move = node.tt_move();
        reduction += node.improving ? 0 : parameters::lmr_not_improving;
        reduction += tt_move && ss.position.is_noisy(*tt_move) ? parameters::lmr_noisy_tt_move : 0;
    }
    return reduction / lmr_unit;
}

/// The root move that is being searched.
RootMove& Worker::current_root_move(const StackEntry& ss) {
    assert(ss.ply == 0);
    return root_moves_[pv_index_ + static_cast<std::size_t>(ss.move_count) - 1];
}

/// Only the first move and those that beat it get a score, or a bound if it is outside the window;
/// the others are only known to be no better.
void Worker::update_root_move(const StackEntry& ss, SearchArgs args, Score score) {
    RootMove& updated = current_root_move(ss);
    if (ss.move_count > 1 && score <= args.alpha) {
        updated.score = -infinite;
        return;
    }
    PrincipalVariation pv;
    pv.set(updated.move, child(ss).pv);
    updated.score = score;
    updated.bound = score <= args.alpha ? Bound::upper
                  : score >= args.beta  ? Bound::lower
                                        : Bound::exact;
    updated.depth = root_depth_;
    updated.seldepth = seldepth_;
    updated.pv = pv.moves();
}

/// The score of a node whose moves have been searched; stores it in the TT.
template <NodeType type>
Score Worker::finish_node(const StackEntry& ss, SearchArgs args, const Node& node, Best best) {
    if (ss.move_count == 0) {
        if (node.excluded_move)
            return args.alpha;
        return ss.position.in_check() ? mated_in(ss.ply) : draw;
    }
    Bound bound = bound_of<type>(best, args.beta);
    // Fail high blending: how far a score is above beta means little, the less the lower the depth.
    if (type == NodeType::non_pv && bound == Bound::lower && !is_decisive(best.score)
        && !is_decisive(args.beta))
        best.score = (100 * best.score * args.depth + parameters::fail_high_beta_weight * args.beta)
                   / (100 * args.depth + parameters::fail_high_beta_weight);
    if (type != NodeType::non_pv && best.score < node.tb_min)
        bound = Bound::lower;
    if (type != NodeType::non_pv && best.score > node.tb_max)
        bound = Bound::upper;
    if (type != NodeType::non_pv)
        best.score = std::clamp(best.score, node.tb_min, node.tb_max);
    if (bound == Bound::upper && !node.excluded_move)
        update_histories_on_fail_low<type>(ss, args);
    // The TT gets the best of all moves: not the second best of MultiPV, nor that of searchmoves.
    const bool some_moves_only =
        node.excluded_move || (type == NodeType::root && (pv_index_ > 0 || !all_moves_allowed_));
    if (!some_moves_only) {
        update_correction_history(ss, args, node, best, bound);
        store_tt(ss, args, node, best, bound);
    }
    return best.score;
}

void Worker::store_tt(const StackEntry& ss,
                      SearchArgs args,
                      const Node& node,
                      const Best& best,
                      Bound bound) {
    TTData data;
    data.move = best.move;
    data.score = best.score;
    if (!ss.position.in_check())
        data.eval = node.raw_eval;
    data.depth = args.depth;
    data.bound = bound;
    data.tt_pv = node.tt_pv;
    shared_.tt.store(ss.position.key(), ss.ply, data);
}

/// After a beta cutoff: a bonus for the best move, a malus for those searched before it.
void Worker::update_histories(StackEntry& ss, SearchArgs args, const MoveLoop& loop) {
    const core::Move best = *loop.best.move;
    const bool far_above = loop.best.score > args.beta + parameters::history_bonus_margin;
    const int depth = args.depth + (far_above ? 1 : 0);
    const int bonus = history_bonus(depth);
    if (ss.position.is_noisy(best)) {
        histories_.update_capture(ss.position, best, bonus);
    }
    else {
        // No bonus for a first-move cutoff at depth <= 2.
        if (depth > 2 || ss.move_count > 1)
            histories_.update_quiet(loop.context, best, bonus);
        for (const core::Move move : loop.quiets_searched)
            histories_.update_quiet(loop.context, move, -bonus);
    }
    for (const core::Move move : loop.noisies_searched)
        histories_.update_capture(ss.position, move, -bonus);
}

/// After a TT cutoff: a bonus for a quiet TT move, and a malus for the move that led here if it is
/// quiet and was one of the first, because it is refuted without a search.
void Worker::update_histories_on_tt_cutoff(const StackEntry& ss,
                                           SearchArgs args,
                                           const Node& node) {
    const auto tt_move = node.tt_move();
    if (tt_move && core::is_legal(ss.position, *tt_move) && !ss.position.is_noisy(*tt_move))
        histories_.update_quiet(history_context(ss), *tt_move, history_bonus(args.depth));
    constexpr int early_move_count = 3;
    const StackEntry& prior = parent(ss);
    if (prior.move && prior.move_count <= early_move_count && !prior.position.is_noisy(*prior.move))
        histories_.update_continuation(
            history_context(prior), *prior.move,
            -history_bonus(args.depth + 1) * parameters::prior_move_malus / 100);
}

/// After a fail low: a bonus for the quiet move that led here, because no reply refutes it.
template <NodeType type>
void Worker::update_histories_on_fail_low(const StackEntry& ss, SearchArgs args) {
    constexpr int min_depth = 3;
    if (ss.ply == 0 || (type == NodeType::non_pv && args.depth < min_depth))
        return;
    const StackEntry& prior = parent(ss);
    if (!prior.move || prior.position.is_noisy(*prior.move))
        return;
    const int share =
        args.cut_node ? parameters::prior_move_cut_node_bonus : parameters::prior_move_bonus;
    histories_.update_quiet(history_context(prior), *prior.move,
                            history_bonus(args.depth) * share / 100);
}

/// The difference between the search's score and the static evaluation, unless a capture explains
/// it or the bound says nothing about it.
void Worker::update_correction_history(const StackEntry& ss,
                                       SearchArgs args,
                                       const Node& node,
                                       const Best& best,
                                       Bound bound) {
    const Score difference = best.score - ss.static_eval;
    if (ss.position.in_check() || is_decisive(best.score) || is_known_result(node.raw_eval)
        || (best.move && ss.position.is_noisy(*best.move))
        || (bound == Bound::lower && difference <= 0) || (bound == Bound::upper && difference >= 0))
        return;
    histories_.update_correction(ss.position, args.depth, difference);
}

template Score Worker::search<NodeType::root>(StackEntry&, SearchArgs);
// For quiescence.cpp.
template void Worker::enter_node<NodeType::pv>(StackEntry&, SearchArgs);
template void Worker::enter_node<NodeType::non_pv>(StackEntry&, SearchArgs);
template Node Worker::probe_tt<NodeType::pv>(const StackEntry&) const;
template Node Worker::probe_tt<NodeType::non_pv>(const StackEntry&) const;
template std::optional<Score> Worker::tt_cutoff<NodeType::pv>(const StackEntry&,
                                                              SearchArgs,
                                                              const Node&);
template std::optional<Score> Worker::tt_cutoff<NodeType::non_pv>(const StackEntry&,
                                                                  SearchArgs,
                                                                  const Node&);

}  // namespace engine::search
