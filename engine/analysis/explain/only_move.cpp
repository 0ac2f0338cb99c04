#include "engine/analysis/explain/only_move.hpp"

#include <algorithm>
#include <array>

#include "engine/analysis/explain/material.hpp"

namespace engine::explain {

namespace {

using core::Move;
using core::Position;

constexpr std::array proofs{1, 3, 5};
constexpr int max_plies_to_mate = 3;  // so that there is time for all of many moves

/// What is counted as a loss: a queen, a rook, a piece, the exchange. Losing a pawn seldom changes
/// the result.
constexpr std::array amounts{9, 5, 3, 2};

class OnlyMoveProof {
public:
    OnlyMoveProof(Prover& prover, const Position& position)
        : prover_{prover},
          position_{position},
          opponent_{~position.side_to_move()} {}

    std::optional<OnlyMove> of(Move move, std::span<const Move> others) {
        bool all_mated = true;
        for (const Move other : others) {
            if (allows_mate(other))
                found_.mate = true;
            else if (loses_material(other))
                all_mated = false;
            else
                return std::nullopt;
        }
        found_.amount = all_mated ? 0 : amount_;
        return holds(move) ? std::optional{found_} : std::nullopt;
    }

private:
    Goal mate() const { return {opponent_, std::nullopt}; }
    Goal gain(int amount) const { return {opponent_, balance(position_, opponent_) + amount}; }

    bool is_proved(Move move, const Goal& goal, int plies) {
        if (!prover_.can_force(position_.after(move), goal, plies))
            return false;
        found_.plies = std::max(found_.plies, plies);
        return true;
    }

    bool allows_mate(Move move) {
        return std::any_of(proofs.begin(), proofs.end(), [&](int plies) {
            return plies <= max_plies_to_mate && is_proved(move, mate(), plies);
        });
    }

    /// In the fewest plies; lowers the amount to what this move loses.
    bool loses_material(Move move) {
        for (const int plies : proofs) {
            for (const int amount : amounts) {
                if (amount > amount_ || !is_proved(move, gain(amount), plies))
                    continue;
                amount_ = amount;
                return true;
            }
        }
        return false;
    }

    bool holds(Move move) {
        const Goal goal = found_.amount == 0 ? mate() : gain(found_.amount);
        return prover_.cannot_force(position_.after(move), goal, found_.plies);
    }

    Prover& prover_;
    const Position& position_;
    core::Color opponent_;
    int amount_ = amounts.front();
    OnlyMove found_;
};

}  // namespace

std::optional<OnlyMove> prove_only_move(Prover& prover,
                                        const Position& position,
                                        Move move,
                                        std::span<const Move> others) {
    if (others.empty())
        return std::nullopt;
    return OnlyMoveProof{prover, position}.of(move, others);
}

}  // namespace engine::explain
