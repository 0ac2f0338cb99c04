#include "core/movegen.hpp"

#include "engine/evaluate/endings.hpp"
#include "engine/search/worker.hpp"

namespace engine {

namespace {

/// How far back the moves are that a quiet move is remembered to follow.
constexpr std::array<int, 3> followed_plies{1, 2, 4};

}  // namespace

int Worker::history_of(const Node& node, core::Move move, bool noisy) {
    if (noisy)
        return histories_.of_noisy(node.position, move).value();
    const auto index = piece_to(node.position.known_piece_on(move.from()), move.to());
    int sum = histories_.of_quiet(node.position.side_to_move(), move, node.threats.by_any).value();
    for (const int plies : followed_plies)
        sum += continuation_before(node, plies)[index].value();
    return sum;
}

void Worker::learn_quiet(const Node& node, core::Move move, int bonus) {
    histories_.of_quiet(node.position.side_to_move(), move, node.threats.by_any).learn(bonus);
    learn_continuation(node, move, bonus);
}

void Worker::learn_continuation(const Node& node, core::Move move, int bonus) {
    const auto index = piece_to(node.position.known_piece_on(move.from()), move.to());
    for (const int plies : followed_plies)
        continuation_before(node, plies)[index].learn(bonus);
}

/// What the search found tells how far the evaluation was off, unless a capture explains it or the
/// bound says nothing about it.
void Worker::learn_correction(const Node& node, Bound bound) {
    const Score difference = node.best_score - node.static_evaluation;
    if (node.in_check() || is_decisive(node.best_score) || is_certain(node.raw_evaluation)
        || (node.best_move && node.position.is_noisy(*node.best_move))
        || (bound == Bound::lower && difference <= 0) || (bound == Bound::upper && difference >= 0))
        return;
    histories_.corrections.learn(node.position, node.asked.depth, difference);
}

/// The table's move has cut the node again. The move that led here was refuted without a search: that
/// speaks against it if it is quiet and was thought to be among the best.
void Worker::learn_from_table_cutoff(Node& node) {
    const auto best = node.entry->move();
    if (best && core::is_legal(node.position, *best) && !node.position.is_noisy(*best)) {
        node.threats = threats_in(node.position);
        learn_quiet(node, *best, history_bonus(node.asked.depth));
    }
    constexpr int among_the_best = 3;
    const Node& before = earlier(node, 1);
    if (before.move && before.move_count <= among_the_best
        && !before.position.is_noisy(*before.move))
        learn_continuation(before, *before.move,
                           -history_bonus(node.asked.depth + 1) * parameters::refuted_malus / 100);
}

/// The move that cut the node did well; those tried before it did not.
void Worker::learn_from_cutoff(Node& node) {
    const core::Move best = *node.best_move;
    const int bonus = history_bonus(node.asked.depth);
    if (!node.position.is_noisy(best)) {
        if (node.killers[0] != best) {
            node.killers[1] = node.killers[0];
            node.killers[0] = best;
        }
        // A first move at little depth was no achievement.
        if (node.asked.depth > 2 || node.move_count > 1)
            learn_quiet(node, best, bonus);
        for (const core::Move move : node.tried_quiets)
            learn_quiet(node, move, -bonus);
    }
    else {
        histories_.of_noisy(node.position, best).learn(bonus);
    }
    for (const core::Move move : node.tried_noisies)
        histories_.of_noisy(node.position, move).learn(-bonus);
}

}  // namespace engine
