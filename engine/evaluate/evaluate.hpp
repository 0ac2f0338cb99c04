#pragma once

#include <memory>
#include <utility>

#include "core/position.hpp"

#include "engine/evaluate/endgames.hpp"
#include "engine/evaluate/nnue/accumulator.hpp"
#include "engine/evaluate/nnue/forward.hpp"
#include "engine/score.hpp"

namespace engine::evaluate {

/// The static evaluation: the network's score, corrected by endgame rules. Scores are for the side
/// to move and never a mate; where nobody can mate, they are a draw. A position and its mirror
/// image with the colours exchanged get the same score. Owned by the Main Task and lent to
/// searches, whose threads only read it; the network may be replaced between searches only.
class Evaluate {
public:
    /// Uses the network in the program.
    Evaluate();
    explicit Evaluate(std::shared_ptr<const nnue::Network> network);

    /// The score of a position, computed from scratch.
    Score operator()(const core::Position& position) const;
    /// The score of the position at that ply of the accumulator stack, computed incrementally. For
    /// a search, which has found draws by insufficient material before.
    Score operator()(nnue::AccumulatorStack& accumulators,
                     std::size_t ply,
                     const core::Position& position) const {
        return clamp_eval(apply_endgame_rules(position, accumulators.evaluate(ply)));
    }
    /// By how much the network's score drops without the piece on each square.
    nnue::Contributions contributions(const core::Position& position) const {
        return nnue::contributions(*network_, position);
    }

    const nnue::Network& network() const { return *network_; }
    /// Replaces the network. Call Search::evaluation_changed() afterwards.
    void use_network(std::shared_ptr<const nnue::Network> network) {
        network_ = std::move(network);
    }

private:
    std::shared_ptr<const nnue::Network> network_;
};

}  // namespace engine::evaluate
