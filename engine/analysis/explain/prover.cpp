#include "engine/analysis/explain/prover.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/movegen.hpp"

#include "engine/analysis/explain/material.hpp"

namespace engine::explain {

namespace {

using core::Move;
using core::MoveList;
using core::Position;

constexpr std::uint64_t nodes_between_stop_tests = 1024;
constexpr std::uint64_t max_nodes_of_a_proof = 150'000;
constexpr std::uint64_t max_nodes = 2'000'000;  // of all proofs
constexpr int table_bits = 14;
constexpr std::size_t table_size = std::size_t{1} << table_bits;

std::vector<core::Key> keys_seen_twice(const core::Game& game) {
    std::vector<core::Key> keys{game.keys().begin(), game.keys().end()};
    std::sort(keys.begin(), keys.end());
    std::vector<core::Key> twice;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i] == keys[i - 1])
            twice.push_back(keys[i]);
    }
    return twice;
}

/// MVV-LVA captures first, then checks.
int order_of(const Position& position, Move move, bool with_checks) {
    int order = 0;
    if (position.is_capture(move)) {
        const auto victim = position.piece_on(move.to());
        order += 10 + 10 * (victim ? value_of(victim->type()) : 1)
               - value_of(position.piece_at_unchecked(move.from()).type());
    }
    if (move.is_promotion())
        order += 10 * value_of(move.promoted_to());
    return with_checks && position.after(move).in_check() ? order + 5 : order;
}

MoveList ordered(const Position& position,
                 const MoveList& moves,
                 std::optional<Move> first,
                 bool with_checks) {
    constexpr int above_all = 1000;
    std::array<std::pair<int, Move>, MoveList::capacity> ranked;
    std::size_t count = 0;
    for (const Move move : moves)
        ranked[count++] = {move == first ? above_all : order_of(position, move, with_checks), move};
    std::stable_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    MoveList sorted;
    for (std::size_t i = 0; i < count; ++i)
        sorted.add(ranked[i].second);
    return sorted;
}

/// The moves of a sequence of captures: captures and promotions, or all evasions from check.
MoveList forcing_moves(const Position& position) {
    return core::legal_moves(position,
                             position.in_check() ? core::MoveKinds::all : core::MoveKinds::noisy);
}

/// Whether a player who is not in check has no move, given the captures and promotions.
bool is_stalemate(const Position& position, const MoveList& noisy) {
    return noisy.empty() && !position.in_check() && core::count_legal_moves(position) == 0;
}

}  // namespace

Prover::Prover(const core::Game& game, std::function<bool()> stop)
    : twice_{keys_seen_twice(game)},
      stop_{std::move(stop)},
      table_(table_size) {}

bool Prover::can_force(const Position& position, const Goal& goal, int plies) {
    exhaustive_ = !goal.balance;  // mates of endings need zugzwang
    return search(position, goal, plies) && !exhausted_;
}

bool Prover::can_force_by(const Position& position,
                          const Goal& goal,
                          int plies,
                          const Condition& condition) {
    exhaustive_ = true;
    begin(goal);
    return every_answer_meets(position, condition, plies) && !exhausted_;
}

bool Prover::cannot_force(const Position& position, const Goal& goal, int plies) {
    exhaustive_ = true;
    return !search(position, goal, plies) && !exhausted_;
}

bool Prover::search(const Position& position, const Goal& goal, int plies) {
    assert(plies < max_proof_plies);
    assert((plies % 2 == 1) == (position.side_to_move() == goal.attacker));
    begin(goal);
    return plies % 2 == 1 ? attacker_succeeds(position, plies) : defender_fails(position, plies);
}

void Prover::begin(const Goal& goal) {
    goal_ = goal;
    nodes_ = 0;
    ++proofs_;
    exhausted_ = false;
    killers_.fill(std::nullopt);
}

/// False once the nodes are used up or a stop has come: then no result counts.
bool Prover::spend_node() {
    ++nodes_of_all_;
    if (++nodes_ >= max_nodes_of_a_proof || nodes_of_all_ >= max_nodes
        || (nodes_ % nodes_between_stop_tests == 0 && stop_()))
        exhausted_ = true;
    return !exhausted_;
}

bool Prover::is_drawn(const Position& position) const {
    constexpr int fifty_moves = 100;
    return position.halfmove_clock() >= fifty_moves || position.has_insufficient_material()
        || std::binary_search(twice_.begin(), twice_.end(), position.key());
}

/// Where the result of this proof for a position is kept. The key of the entry tells whether it is
/// there.
Prover::ProofEntry& Prover::entry_of(const Position& position, int plies) {
    const auto key = position.key() + (proofs_ << 6) + static_cast<std::uint64_t>(plies);
    constexpr std::uint64_t mixer = 0x9E3779B97F4A7C15ULL;
    auto& entry = table_[(key * mixer) >> (64 - table_bits)];
    if (entry.key != key)
        entry = {key, false, false};
    return entry;
}

bool Prover::attacker_succeeds(const Position& position, int plies) {
    if (!spend_node() || is_drawn(position))
        return false;
    auto& killer = killers_[static_cast<std::size_t>(plies)];
    for (const Move move : ordered(position, attacker_moves(position, plies), killer, plies > 1)) {
        if (defender_fails(position.after(move), plies - 1)) {
            killer = move;
            return true;
        }
        if (exhausted_)
            return false;
    }
    return false;
}

bool Prover::defender_fails(const Position& position, int plies) {
    if (!spend_node())
        return false;
    const auto moves = core::legal_moves(position);
    if (moves.empty())
        return position.in_check();
    if (is_drawn(position))
        return false;
    if (plies == 0)
        return goal_.balance && is_settled(position);
    // The clock of the fifty moves is not part of the key.
    constexpr int clock_matters = 100 - max_proof_plies;
    if (position.halfmove_clock() >= clock_matters)
        return every_answer_fails(position, moves, plies);
    if (const auto& entry = entry_of(position, plies); entry.is_known)
        return entry.result;
    const bool result = every_answer_fails(position, moves, plies);
    auto& entry = entry_of(position, plies);
    entry.is_known = !exhausted_;
    entry.result = result;
    return result;
}

bool Prover::every_answer_fails(const Position& position, const MoveList& moves, int plies) {
    // Null move: if the attacker threatens nothing, assume that one of the moves defends.
    if (!exhaustive_ && !position.in_check()
        && !attacker_succeeds(position.after_null_move(), plies - 1))
        return false;
    auto& killer = killers_[static_cast<std::size_t>(plies)];
    for (const Move move : ordered(position, moves, killer, plies > 1)) {
        if (!attacker_succeeds(position.after(move), plies - 1)) {
            killer = move;
            return false;
        }
    }
    return true;
}

bool Prover::every_answer_meets(const Position& position, const Condition& condition, int plies) {
    const auto moves = core::legal_moves(position);
    if (!spend_node() || plies == 0 || is_drawn(position))
        return false;
    if (moves.empty())
        return position.in_check();
    return std::all_of(moves.begin(), moves.end(), [&](Move move) {
        Condition next = condition;
        if (move.from() == condition.victim)
            next.victim = move.to();
        return attacker_meets(position.after(move), next, plies - 1);
    });
}

/// A mate will do as well. Before the move that meets the condition the attacker gives check,
/// captures, answers a check or moves a pawn.
bool Prover::attacker_meets(const Position& position, const Condition& condition, int plies) {
    if (!spend_node() || is_drawn(position))
        return false;
    const auto meets = [&](Move move) {
        return condition.victim
                 ? position.is_capture(move) && victim_square(move) == condition.victim
                 : move.is_promotion() && move.to() == condition.promotion;
    };
    const auto moves = core::legal_moves(position);
    if (std::any_of(moves.begin(), moves.end(), [&](Move move) {
            const Position after = position.after(move);
            if (!meets(move))
                return after.in_check() && core::count_legal_moves(after) == 0;
            return defender_fails(after, 0) || defender_fails(after, plies - 1);
        }))
        return true;
    return plies > 1 && std::any_of(moves.begin(), moves.end(), [&](Move move) {
               const Position after = position.after(move);
               const bool is_pawn =
                   position.piece_at_unchecked(move.from()).type() == core::PieceType::pawn;
               const bool is_forcing = position.in_check() || after.in_check()
                                    || position.is_capture(move)
                                    || (condition.promotion && is_pawn);
               return is_forcing && !meets(move) && every_answer_meets(after, condition, plies - 1);
           });
}

/// The moves that can reach the goal: the last one must be a check to mate, and must win material
/// if the balance is too low.
MoveList Prover::attacker_moves(const Position& position, int plies) const {
    const auto legal = core::legal_moves(position);
    if (plies > 1 || (goal_.balance && balance(position, goal_.attacker) >= *goal_.balance))
        return legal;
    MoveList moves;
    for (const Move move : legal) {
        if ((goal_.balance && position.is_noisy(move)) || position.after(move).in_check())
            moves.add(move);
    }
    return moves;
}

bool Prover::is_settled(const Position& position) {
    return balance(position, goal_.attacker) >= *goal_.balance
        && keeps_with_defender_to_move(position);
}

bool Prover::keeps_with_defender_to_move(const Position& position) {
    if (!spend_node())
        return false;
    const bool in_check = position.in_check();
    if (!in_check && balance(position, goal_.attacker) < *goal_.balance)
        return false;
    const auto moves = forcing_moves(position);
    if (moves.empty() && in_check)
        return true;
    if (is_stalemate(position, moves))
        return false;
    return std::all_of(moves.begin(), moves.end(), [&](Move move) {
        return keeps_with_attacker_to_move(position.after(move));
    });
}

bool Prover::keeps_with_attacker_to_move(const Position& position) {
    if (!spend_node())
        return false;
    const auto moves = forcing_moves(position);
    if (is_stalemate(position, moves))
        return false;
    if (!position.in_check() && balance(position, goal_.attacker) >= *goal_.balance)
        return true;
    return std::any_of(moves.begin(), moves.end(), [&](Move move) {
        return keeps_with_defender_to_move(position.after(move));
    });
}

std::optional<Move> Prover::winning_move(const Position& position,
                                         const Goal& goal,
                                         int plies,
                                         std::optional<Move> wanted) {
    for (const Move move : ordered(position, core::legal_moves(position), wanted, true)) {
        if (can_force(position.after(move), goal, plies - 1))
            return move;
    }
    return std::nullopt;
}

std::vector<Move> Prover::pv(const Position& position,
                             Move first,
                             const Goal& goal,
                             int plies,
                             std::span<const Move> wanted) {
    const auto wanted_at = [&](const std::vector<Move>& moves) -> std::optional<Move> {
        if (wanted.size() <= moves.size()
            || !std::equal(moves.begin(), moves.end(), wanted.begin()))
            return std::nullopt;
        return wanted[moves.size()];
    };
    std::vector<Move> pv{first};
    Position current = position.after(first);
    for (int left = plies - 1; left > 0; left -= 2) {
        const auto answers = core::legal_moves(current);
        begin(goal);
        if (answers.empty() || (goal.balance && is_settled(current)))
            break;
        const auto wanted_answer = wanted_at(pv);
        pv.push_back(wanted_answer && answers.contains(*wanted_answer)
                         ? *wanted_answer
                         : longest_defence(current, left));
        current.play(pv.back());
        const auto next = winning_move(current, goal, left - 1, wanted_at(pv));
        if (!next)  // only where a stop or the limit of nodes has come in between
            return {};
        pv.push_back(*next);
        current.play(*next);
    }
    return pv;
}

/// The answer after which the attacker needs the most plies.
Move Prover::longest_defence(const Position& position, int plies) {
    const auto moves = core::legal_moves(position);
    Move longest = moves[0];
    int most = 0;
    for (const Move move : ordered(position, moves, std::nullopt, true)) {
        int needed = 1;
        for (; needed < plies - 1; needed += 2) {
            if (can_force(position.after(move), goal_, needed))
                break;
        }
        if (needed > most) {
            most = needed;
            longest = move;
        }
    }
    return longest;
}

}  // namespace engine::explain
