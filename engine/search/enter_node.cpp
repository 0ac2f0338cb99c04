#include <algorithm>

#include "core/movegen.hpp"

#include "engine/evaluate/endings.hpp"
#include "engine/search/worker.hpp"

namespace engine {

namespace {

/// Near the fifty-move draw a score from the table may promise what can no longer be reached.
constexpr int late_halfmove_clock = 90;

bool fits(const TableEntry& entry, Score alpha, Score beta) {
    if (entry.bound() == Bound::exact)
        return true;
    return entry.bound() == Bound::lower ? entry.score() >= beta
                                         : entry.bound() == Bound::upper && entry.score() <= alpha;
}

}  // namespace

/// Whether the position has stood on the line before, or twice in the game.
bool Worker::is_repetition(const Node& node) const {
    const auto last = keys_.size() - 1;
    const auto reach = std::min(static_cast<std::size_t>(node.position.halfmove_clock()), last);
    int found = 0;
    for (std::size_t back = 4; back <= reach; back += 2) {
        if (keys_[last - back] != node.position.key())
            continue;
        // If it is good to repeat, it can be repeated again: once on the line is enough.
        if (back < static_cast<std::size_t>(node.ply) || ++found == 2)
            return true;
    }
    return false;
}

bool Worker::is_draw(const Node& node) const {
    if (node.position.halfmove_clock() >= 100
        && (!node.in_check() || core::count_legal_moves(node.position) > 0))
        return true;
    return is_repetition(node) || node.position.has_insufficient_material();
}

template <NodeKind kind>
std::optional<Score> Worker::leave_early(Node& node) {
    if constexpr (kind != NodeKind::non_pv)
        node.line.clear();
    selective_depth_ = std::max(selective_depth_, node.ply);
    if constexpr (kind == NodeKind::root)
        return std::nullopt;
    if (is_draw(node))
        return draw;
    if (node.ply >= max_ply)
        return node.in_check() ? draw : evaluation_of(node);
    // A mate found nearer to the root cannot be improved on here.
    node.asked.alpha = std::max(node.asked.alpha, mated_in(node.ply));
    node.asked.beta = std::min(node.asked.beta, mate_in(node.ply + 1));
    if (node.asked.alpha >= node.asked.beta)
        return node.asked.alpha;
    return std::nullopt;
}

template <NodeKind kind>
void Worker::read_table(Node& node) {
    if (node.excluded) {
        node.entry.reset();
        return;
    }
    node.entry = shared_.table.find(node.position.key(), node.ply);
    node.on_pv = kind != NodeKind::non_pv || (node.entry && node.entry->on_pv());
    if constexpr (kind == NodeKind::root) {
        if (node.entry)
            node.entry = node.entry->with_move(root_moves_[line_index_].move);
    }
}

template <NodeKind kind>
std::optional<Score> Worker::cut_by_table(Node& node) {
    if (kind != NodeKind::non_pv || !node.entry || node.entry->depth() < node.asked.depth
        || node.position.halfmove_clock() >= late_halfmove_clock
        || !fits(*node.entry, node.asked.alpha, node.asked.beta))
        return std::nullopt;
    if (node.asked.depth > 0 && node.entry->score() >= node.asked.beta)
        learn_from_table_cutoff(node);
    return node.entry->score();
}

Score Worker::evaluation_of(const Node& node) {
    return bounded(
        with_endings(node.position, accumulators_.evaluate(static_cast<std::size_t>(node.ply))));
}

void Worker::evaluate_node(Node& node) {
    if (node.excluded)
        return;
    node.improving = false;
    if (node.in_check())
        return;
    // What was learnt lies far away: asked first, it arrives while the network is at work.
    const Score correction = histories_.corrections.of(node.position);
    const auto known = node.entry ? node.entry->evaluation() : std::nullopt;
    node.raw_evaluation = known ? *known : evaluation_of(node);
    node.static_evaluation = node.raw_evaluation;
    if (!is_certain(node.raw_evaluation)) {
        // What has not been turned into something for long will perhaps never be.
        const int left = 200 - node.position.halfmove_clock();
        node.static_evaluation = bounded((node.raw_evaluation + correction) * left / 200);
    }
    node.evaluation = node.static_evaluation;
    if (node.entry && !is_decisive(node.entry->score())) {
        const Score score = node.entry->score();
        const Bound side = score > node.evaluation ? Bound::lower : Bound::upper;
        if (node.entry->bound() == Bound::exact || node.entry->bound() == side)
            node.evaluation = score;
    }
    for (const int plies : {2, 4}) {
        if (node.ply >= plies && !earlier(node, plies).in_check()) {
            node.improving = node.static_evaluation > earlier(node, plies).static_evaluation;
            break;
        }
    }
}

template std::optional<Score> Worker::leave_early<NodeKind::root>(Node&);
template std::optional<Score> Worker::leave_early<NodeKind::pv>(Node&);
template std::optional<Score> Worker::leave_early<NodeKind::non_pv>(Node&);
template void Worker::read_table<NodeKind::root>(Node&);
template void Worker::read_table<NodeKind::pv>(Node&);
template void Worker::read_table<NodeKind::non_pv>(Node&);
template std::optional<Score> Worker::cut_by_table<NodeKind::root>(Node&);
template std::optional<Score> Worker::cut_by_table<NodeKind::pv>(Node&);
template std::optional<Score> Worker::cut_by_table<NodeKind::non_pv>(Node&);

}  // namespace engine
