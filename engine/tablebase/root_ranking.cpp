#include "engine/tablebase/root_ranking.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "core/movegen.hpp"

namespace engine::tablebase {

namespace {

using core::Game;
using core::Move;
using core::Position;

/// The rank of a certain win; more than any distance plus halfmove clock.
constexpr int top_rank = 1 << 18;
/// The fifty-move rule in plies.
constexpr int fifty_moves = 100;

/// The keys of the game since the last capture or pawn move, the present one included.
std::span<const core::Key> reversible_keys(const Game& game) {
    const auto keys = game.keys();
    const auto plies = static_cast<std::size_t>(game.position().halfmove_clock());
    return keys.last(std::min(keys.size(), plies + 1));
}

bool has_repetition(const Game& game) {
    const auto keys = reversible_keys(game);
    std::vector<core::Key> sorted{keys.begin(), keys.end()};
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

bool is_checkmate(const Position& position) {
    return position.in_check() && core::count_legal_moves(position) == 0;
}

/// Whether the position after a move is a draw by repetition or by the fifty-move rule.
bool is_draw_by_rule(const Game& game, const Position& next, bool fifty_move_rule) {
    if (is_checkmate(next))
        return false;
    if (fifty_move_rule && next.halfmove_clock() >= fifty_moves)
        return true;
    const auto keys = reversible_keys(game);
    return next.halfmove_clock() > 0 && std::count(keys.begin(), keys.end(), next.key()) >= 2;
}

/// A rank from the plies to zeroing, the move included, and the halfmove clock before it.
int rank_of(int dtz, int halfmove_clock, bool repeated, bool fifty_move_rule) {
    const int clock = fifty_move_rule ? halfmove_clock : 0;
    if (dtz > 0) {
        // Distances may be a ply too small: with one ply less the rule may come first.
        const bool in_time = !fifty_move_rule || dtz + clock < fifty_moves;
        return in_time && !repeated ? top_rank : top_rank - (dtz + clock);
    }
    if (dtz < 0) {
        // Far from the fifty-move rule all losing moves are equal. Near it, the longest way may
        // draw.
        const bool in_time = !fifty_move_rule || -2 * dtz + clock < fifty_moves;
        return in_time ? -top_rank : -top_rank + (-dtz + clock);
    }
    return 0;
}

WdlScore outcome_of(int rank, bool fifty_move_rule) {
    if (rank == 0)
        return WdlScore::draw;
    const bool decided = !fifty_move_rule || std::abs(rank) >= top_rank - fifty_moves;
    if (rank > 0)
        return decided ? WdlScore::win : WdlScore::cursed_win;
    return decided ? WdlScore::loss : WdlScore::blessed_loss;
}

/// The DTZ of a move for the side that makes it, the move included.
std::optional<int> dtz_after(const Tablebases& tables, const Position& next) {
    if (next.halfmove_clock() == 0) {
        const auto reply = tables.probe_wdl(next);
        if (!reply)
            return std::nullopt;
        return dtz_before_zeroing(-*reply);
    }
    const auto reply = tables.probe_dtz(next);
    if (!reply)
        return std::nullopt;
    const int dtz = *reply < 0 ? 1 - *reply : *reply > 0 ? -1 - *reply : 0;
    return dtz == 2 && is_checkmate(next) ? 1 : dtz;
}

std::optional<RootRanking> rank_by_dtz(const Tablebases& tables,
                                       const Game& game,
                                       bool fifty_move_rule) {
    const bool repeated = has_repetition(game);
    RootRanking ranking;
    ranking.by_dtz = true;
    for (const Move move : core::legal_moves(game.position())) {
        const Position next = game.position().after(move);
        auto dtz = dtz_after(tables, next);
        if (!dtz)
            return std::nullopt;
        if (is_draw_by_rule(game, next, fifty_move_rule))
            dtz = 0;
        const int rank = rank_of(*dtz, game.position().halfmove_clock(), repeated, fifty_move_rule);
        ranking.moves.push_back({move, rank, outcome_of(rank, fifty_move_rule), dtz});
    }
    return ranking;
}

std::optional<RootRanking> rank_by_wdl(const Tablebases& tables,
                                       const Game& game,
                                       bool fifty_move_rule) {
    RootRanking ranking;
    for (const Move move : core::legal_moves(game.position())) {
        const Position next = game.position().after(move);
        const auto reply = tables.probe_wdl(next);
        if (!reply)
            return std::nullopt;
        const int score = is_draw_by_rule(game, next, fifty_move_rule) ? 0 : -value_of(*reply);
        // Cursed wins rank below the others, and below what outcome_of() takes as decided.
        const bool decided = std::abs(score) == value_of(WdlScore::win);
        const int distance = top_rank - (decided ? 0 : fifty_moves + 1);
        const int rank = score > 0 ? distance : score < 0 ? -distance : 0;
        ranking.moves.push_back({move, rank, outcome_of(rank, fifty_move_rule), std::nullopt});
    }
    return ranking;
}

}  // namespace

std::optional<RootRanking> rank_root_moves(const Tablebases& tables,
                                           const Game& game,
                                           bool fifty_move_rule) {
    // If the position is not in the tables, only positions after captures can be.
    if (!tables.probe_wdl(game.position()))
        return std::nullopt;
    auto ranking = rank_by_dtz(tables, game, fifty_move_rule);
    if (!ranking)
        ranking = rank_by_wdl(tables, game, fifty_move_rule);
    if (!ranking || ranking->moves.empty())
        return std::nullopt;
    std::stable_sort(ranking->moves.begin(), ranking->moves.end(),
                     [](const RankedMove& a, const RankedMove& b) { return a.rank > b.rank; });
    return ranking;
}

}  // namespace engine::tablebase
