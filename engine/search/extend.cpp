#include "core/movegen.hpp"

#include "engine/search/worker.hpp"

namespace engine {

/// The table's move is searched deeper when every other move is clearly worse; when others are
/// good enough for a cutoff too, the node is cut at once; and it is searched with less depth when
/// it has company where a cutoff is to be expected.
template <NodeKind kind>
std::optional<Score> Worker::extend_table_move(Node& node) {
    node.extension = 0;
    const Question asked = node.asked;
    if (kind == NodeKind::root || node.excluded || asked.depth < parameters::singular_depth
        || !node.has_table_move() || node.ply >= 2 * root_depth_)
        return std::nullopt;
    const TableEntry entry = *node.entry;
    if (entry.bound() == Bound::upper || entry.bound() == Bound::none || is_decisive(entry.score())
        || entry.depth() < asked.depth - parameters::singular_table_depth
        || !core::is_legal(node.position, *entry.move()))
        return std::nullopt;

    const Score bar = entry.score() - parameters::singular_margin * asked.depth / 100;
    node.asked = {(asked.depth - 1) / 2, bar - 1, bar, asked.expects_cutoff};
    node.excluded = entry.move();
    const Score score = search_node<NodeKind::non_pv>(node);
    node.asked = asked;
    node.excluded.reset();
    node.entry = entry;
    node.extension = 0;
    if (stopped_)
        return draw;
    if (score < bar) {
        const bool twice = kind == NodeKind::non_pv
                        && score < bar - parameters::double_extension_margin
                        && node.double_extensions < parameters::most_double_extensions;
        node.extension = twice ? 2 : 1;
    }
    else if (bar >= asked.beta) {
        return bar;
    }
    else if (entry.score() >= asked.beta) {
        node.extension = kind == NodeKind::pv ? -1 : -2;
    }
    else if (asked.expects_cutoff) {
        node.extension = -1;
    }
    return std::nullopt;
}

template std::optional<Score> Worker::extend_table_move<NodeKind::root>(Node&);
template std::optional<Score> Worker::extend_table_move<NodeKind::pv>(Node&);
template std::optional<Score> Worker::extend_table_move<NodeKind::non_pv>(Node&);

}  // namespace engine
