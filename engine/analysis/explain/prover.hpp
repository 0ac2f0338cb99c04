#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/game.hpp"

// Proof of what a pv claims, by a search of its own that shares nothing with the engine's: no
// pruning of answers, no transposition table, no evaluation.
namespace engine::explain {

/// What the attacker wants to reach.
struct Goal {
    core::Color attacker = core::Color::white;
    /// The least material balance for the attacker. Without it: mate.
    std::optional<int> balance;
};

/// How a goal must be reached: one of the two.
struct Condition {
    std::optional<core::Square> victim;     ///< by capturing this piece, wherever it goes
    std::optional<core::Square> promotion;  ///< by a promotion on this square
};

/// An AND/OR search: the attacker may choose a move, the defender has every legal answer.
///
/// A goal of material is reached in n plies if after each of the attacker's last moves the defender
/// is mated, or the position is settled: the attacker has the balance, and keeps it against every
/// sequence of captures and promotions with which the defender begins (all evasions from check
/// included), where both may stop at any time they are not in check. Draws by rule are failures of
/// the attacker.
class Prover {
public:
    /// The positions that have occurred twice in the game are draws. `stop` is called every 1,024
    /// nodes.
    Prover(const core::Game& game, std::function<bool()> stop);

    /// Whether the attacker is proved to reach the goal in `plies`: an odd number if the attacker
    /// is to move, or else an even one.
    bool can_force(const core::Position& position, const Goal& goal, int plies);
    /// The same, if every answer is met in this way. The defender is to move.
    bool can_force_by(const core::Position& position,
                      const Goal& goal,
                      int plies,
                      const Condition& condition);
    /// Whether it is proved that the attacker does not. Both are false once the node limit is
    /// reached.
    bool cannot_force(const core::Position& position, const Goal& goal, int plies);

    /// A move of the attacker that reaches the goal in `plies`: the wanted one if it does. Nothing
    /// if none is found.
    std::optional<core::Move> winning_move(const core::Position& position,
                                           const Goal& goal,
                                           int plies,
                                           std::optional<core::Move> wanted);

    /// The principal variation of a proven attack that begins with `first`, up to mate or the first
    /// settled position. The defender answers as in `wanted`, a variation from the same position,
    /// as long as it can be followed, and then with the longest defence.
    std::vector<core::Move> pv(const core::Position& position,
                               core::Move first,
                               const Goal& goal,
                               int plies,
                               std::span<const core::Move> wanted);

private:
    static constexpr int max_proof_plies = 32;

    struct ProofEntry {
        core::Key key = 0;
        bool is_known = false;
        bool result = false;
    };

    bool search(const core::Position& position, const Goal& goal, int plies);
    void begin(const Goal& goal);
    bool spend_node();
    bool is_drawn(const core::Position& position) const;
    bool attacker_succeeds(const core::Position& position, int plies);
    bool defender_fails(const core::Position& position, int plies);
    bool every_answer_meets(const core::Position& position, const Condition& condition, int plies);
    bool attacker_meets(const core::Position& position, const Condition& condition, int plies);
    bool every_answer_fails(const core::Position& position, const core::MoveList& moves, int plies);
    bool is_settled(const core::Position& position);
    bool keeps_with_defender_to_move(const core::Position& position);
    bool keeps_with_attacker_to_move(const core::Position& position);
    core::MoveList attacker_moves(const core::Position& position, int plies) const;
    ProofEntry& entry_of(const core::Position& position, int plies);
    core::Move longest_defence(const core::Position& position, int plies);

    std::vector<core::Key> twice_;  ///< keys of positions whose next occurrence is a draw
    std::function<bool()> stop_;
    Goal goal_;
    std::uint64_t proofs_ = 0;
    std::uint64_t nodes_ = 0;  ///< of this proof
    std::uint64_t nodes_of_all_ = 0;
    bool exhausted_ = false;
    bool exhaustive_ = false;  ///< no shortcuts: the proof must also hold if it fails
    /// By plies left: the move that last succeeded there, tried first.
    std::array<std::optional<core::Move>, max_proof_plies> killers_;
    std::vector<ProofEntry> table_;  ///< results of positions in this proof
};

}  // namespace engine::explain
