#include "engine/search/worker.hpp"

namespace engine {

/// One node, from the question to the answer: the score in the window that was asked about, or
/// a bound on it. The order of the parts is the search's table of contents.
template <NodeKind kind>
Score Worker::search_node(Node& node) {
    if (node.asked.depth <= 0)
        return quiescence<kind>(node);
    if (should_stop())
        return draw;
    if (const auto score = leave_early<kind>(node))
        return *score;
    read_table<kind>(node);
    if (const auto score = cut_by_table<kind>(node))
        return *score;
    evaluate_node(node);
    use_hindsight(node);
    if (const auto score = prune_node<kind>(node))
        return *score;
    if (const auto score = extend_table_move<kind>(node))
        return *score;
    search_moves<kind>(node);
    return finish_node<kind>(node);
}

template <NodeKind kind>
Score Worker::search_child(Node& node, const Question& question) {
    Node& child = child_of(node);
    child.asked = question;
    return -search_node<kind>(child);
}

template <NodeKind kind>
Score Worker::finish_node(Node& node) {
    if (stopped_)
        return draw;
    if (node.move_count == 0) {
        if (node.excluded)
            return node.asked.alpha;
        return node.in_check() ? mated_in(node.ply) : draw;
    }
    // At the root the table keeps the best line, not the second or third, nor the best of some moves.
    if (node.excluded || (kind == NodeKind::root && (line_index_ > 0 || !all_moves_allowed_)))
        return node.best_score;
    Finding finding;
    finding.move = node.best_move;
    finding.score = node.best_score;
    if (!node.in_check())
        finding.evaluation = node.raw_evaluation;
    finding.depth = node.asked.depth;
    finding.on_pv = node.on_pv;
    if (node.best_score >= node.asked.beta)
        finding.bound = Bound::lower;
    else
        finding.bound = kind != NodeKind::non_pv && node.best_move ? Bound::exact : Bound::upper;
    if (node.asked.depth > 0)
        learn_correction(node, finding.bound);
    shared_.table.store(node.position.key(), node.ply, finding);
    return node.best_score;
}

void Worker::make_move(Node& node, core::Move move) {
    // The table is far away: the sooner it is asked, the shorter the wait in the child.
    shared_.table.prefetch(node.position.probable_key_after(move));
    Node& child = child_of(node);
    child.position = node.position;
    child.position.play(move);
    accumulators_.follow(static_cast<std::size_t>(child.ply), move, child.position);
    node.move = move;
    node.continuation =
        &histories_.continuation[piece_to(node.position.known_piece_on(move.from()), move.to())];
    keys_.push_back(child.position.key());
    nodes_.store(nodes() + 1, std::memory_order_relaxed);
}

void Worker::pass(Node& node) {
    Node& child = child_of(node);
    child.position = node.position;
    child.position.pass();
    shared_.table.prefetch(child.position.key());
    child.double_extensions = node.double_extensions;
    accumulators_.follow(static_cast<std::size_t>(child.ply), std::nullopt, child.position);
    node.move.reset();
    node.continuation = &histories_.no_continuation();
    keys_.push_back(child.position.key());
    nodes_.store(nodes() + 1, std::memory_order_relaxed);
}

bool Worker::should_stop() {
    if (!control_) {
        stopped_ = stopped_ || shared_.stop.load(std::memory_order_relaxed);
        return stopped_;
    }
    // Adding up the threads' nodes at every node would cost too much; own nodes do in between.
    constexpr std::uint64_t nodes_between_sums = 256;
    const auto own = nodes();
    if (own % nodes_between_sums == 0)
        seen_nodes_of_all_ = shared_.nodes_of_all() - own;
    stopped_ = stopped_ || control_->should_stop(seen_nodes_of_all_ + own);
    return stopped_;
}

PieceToHistory& Worker::continuation_before(const Node& node, int plies) {
    return node.ply >= plies ? *earlier(node, plies).continuation : histories_.no_continuation();
}

PickerContext Worker::picker_context(const Node& node) {
    PickerContext context{node.position, histories_, std::nullopt};
    if (node.has_table_move())
        context.table_move = node.entry->move();
    context.killers = node.killers;
    context.continuations = {&continuation_before(node, 1), &continuation_before(node, 2),
                             &continuation_before(node, 4)};
    context.threats = node.threats;
    return context;
}

template Score Worker::search_node<NodeKind::root>(Node&);
template Score Worker::search_node<NodeKind::pv>(Node&);
template Score Worker::search_node<NodeKind::non_pv>(Node&);
template Score Worker::finish_node<NodeKind::root>(Node&);
template Score Worker::finish_node<NodeKind::pv>(Node&);
template Score Worker::finish_node<NodeKind::non_pv>(Node&);
template Score Worker::search_child<NodeKind::pv>(Node&, const Question&);
template Score Worker::search_child<NodeKind::non_pv>(Node&, const Question&);

}  // namespace engine
