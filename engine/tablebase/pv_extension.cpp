#include "engine/tablebase/pv_extension.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "core/movegen.hpp"

namespace engine::tablebase {

namespace {

using core::Game;
using core::Move;
using core::Position;

constexpr std::size_t max_pv_plies = 500;

const RankedMove* find(const RootRanking& ranking, Move move) {
    const auto found = std::find_if(ranking.moves.begin(), ranking.moves.end(),
                                    [&](const RankedMove& ranked) { return ranked.move == move; });
    return found == ranking.moves.end() ? nullptr : &*found;
}

/// The move that continues a pv in a won or lost position.
Move best_move(const Tablebases& tables, const Position& position, const RootRanking& ranking) {
    const WdlScore outcome = ranking.moves.front().outcome;
    // The winner takes the smallest distance; the loser's are negative, so the smallest is the
    // longest. Among captures and pawn moves the distance after the move decides.
    const auto value = [&](const RankedMove& ranked) {
        const Position next = position.after(ranked.move);
        const bool is_mate = next.in_check() && core::count_legal_moves(next) == 0;
        const int further =
            next.halfmove_clock() == 0 ? std::abs(tables.probe_dtz(next).value_or(0)) : 0;
        const int sign = outcome == WdlScore::win ? 1 : -1;
        return std::tuple{!is_mate, *ranked.dtz, sign * further};
    };
    const RankedMove* best = &ranking.moves.front();
    auto best_value = value(*best);
    for (const RankedMove& ranked : ranking.moves) {
        if (ranked.outcome != outcome)
            continue;
        if (const auto other = value(ranked); other < best_value) {
            best = &ranked;
            best_value = other;
        }
    }
    return best->move;
}

}  // namespace

std::vector<Move> extend_pv(const Tablebases& tables,
                            Game game,
                            std::span<const Move> pv,
                            bool fifty_move_rule,
                            std::chrono::steady_clock::time_point deadline) {
    std::vector<Move> extended;
    const auto play = [&](Move move) {
        game.play(move);
        extended.push_back(move);
    };
    // Keep the first move even if it changes the result: the pv shows where that move leads.
    bool follows = !pv.empty();
    if (follows)
        play(pv[0]);
    while (extended.size() < max_pv_plies && std::chrono::steady_clock::now() < deadline) {
        follows = follows && extended.size() < pv.size();
        const auto ranking = rank_root_moves(tables, game, fifty_move_rule);
        if (!ranking || !ranking->by_dtz) {
            // Not yet in the tables, or mate.
            if (!follows)
                return extended;
            play(pv[extended.size()]);
            continue;
        }
        const WdlScore outcome = ranking->moves.front().outcome;
        if (follows) {
            const auto* const next = find(*ranking, pv[extended.size()]);
            follows = next != nullptr && next->outcome == outcome;
        }
        if (follows)
            play(pv[extended.size()]);
        else if (outcome == WdlScore::win || outcome == WdlScore::loss)
            play(best_move(tables, game.position(), *ranking));
        else
            break;
    }
    // Out of time: append the rest of the pv unchecked.
    while (follows && extended.size() < pv.size())
        play(pv[extended.size()]);
    return extended;
}

}  // namespace engine::tablebase
