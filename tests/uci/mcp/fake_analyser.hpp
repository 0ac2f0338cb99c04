#pragma once

#include <algorithm>

#include "core/movegen.hpp"

#include "uci/mcp/analyser.hpp"

namespace tests {

/// Finds the first legal moves, all of them equal.
class FakeAnalyser : public uci::mcp::Analyser {
public:
    std::vector<uci::mcp::FoundPv> analyse(const core::Game& game,
                                           engine::Milliseconds /*time*/,
                                           int multipv,
                                           const uci::mcp::Progress& progress) override {
        const auto moves = core::legal_moves(game.position());
        std::vector<uci::mcp::FoundPv> found;
        for (const auto move : moves) {
            if (found.size() < static_cast<std::size_t>(multipv))
                found.push_back({31, 5, {move}});
        }
        progress(5, 0, "depth 5");
        return found;
    }
    std::optional<std::vector<engine::review::PositionReview>> review(
        const std::vector<core::Game>& positions,
        std::uint64_t /*nodes*/,
        const uci::mcp::Progress& /*progress*/) override {
        std::vector<engine::review::PositionReview> reviews(positions.size());
        for (std::size_t i = 0; i < reviews.size(); ++i) {
            const auto moves = core::legal_moves(positions[i].position());
            reviews[i].score = i % 3 == 2 ? -300 : 20;
            reviews[i].depth = 5;
            if (!moves.empty())
                reviews[i].pv = {*moves.begin()};
        }
        return reviews;
    }
    /// The first legal move is the best one, and the only one; any other allows mate.
    std::optional<engine::explain::Explanation> explain(const core::Game& game,
                                                        std::optional<core::Move> move) override {
        using namespace engine::explain;
        Explanation explanation;
        explanation.better = *core::legal_moves(game.position()).begin();
        explanation.move = move.value_or(explanation.better);
        explanation.verdict =
            explanation.move == explanation.better ? Verdict::best : Verdict::worse;
        if (explanation.verdict == Verdict::worse) {
            const auto answers = core::legal_moves(game.position().after(explanation.move));
            explanation.claim =
                Claim{Kind::mate_allowed, Motif::none, 1, 1, {*answers.begin()}, {}, {}, false};
        }
        else {
            explanation.only_move = OnlyMove{true, 3, 2};
        }
        return explanation;
    }
};

}  // namespace tests
