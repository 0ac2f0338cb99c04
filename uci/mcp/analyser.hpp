#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "core/pgn.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/analysis/review/game_review.hpp"
#include "engine/limits.hpp"
#include "engine/score.hpp"

namespace uci::mcp {

/// Reports the progress of a tool to the client: how much is done of how much (0: unknown), and in
/// words.
using Progress = std::function<void(double done, double total, const std::string& text)>;

/// A principal variation that a search has found.
struct FoundPv {
    engine::Score score = engine::draw;  ///< for the side to move, normalised
    int depth = 0;
    std::vector<core::Move> moves;
};

/// What a tool can ask of the engine. The functions return when they are done, or when the call is
/// cancelled: then with nothing.
class Analyser {
public:
    Analyser() = default;
    virtual ~Analyser() = default;
    Analyser(const Analyser&) = delete;
    Analyser& operator=(const Analyser&) = delete;
    Analyser(Analyser&&) = delete;
    Analyser& operator=(Analyser&&) = delete;

    /// The best moves of a game that is not over, each with its pv, best first.
    virtual std::vector<FoundPv> analyse(const core::Game& game,
                                         engine::Milliseconds time,
                                         int multipv,
                                         const Progress& progress) = 0;
    /// Reviews of the positions with so many nodes each.
    virtual std::optional<std::vector<engine::review::PositionReview>> review(
        const std::vector<core::Game>& positions,
        std::uint64_t nodes,
        const Progress& progress) = 0;
    /// Explains a legal move, or without one the best move, of a game that is not over.
    virtual std::optional<engine::explain::Explanation> explain(const core::Game& game,
                                                                std::optional<core::Move> move) = 0;
};

}  // namespace uci::mcp
