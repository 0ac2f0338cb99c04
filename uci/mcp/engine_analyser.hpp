#pragma once

#include <atomic>

#include "engine/general_interface.hpp"

#include "uci/mcp/analyser.hpp"

namespace uci::mcp {

/// Implements Analyser with the engine. One thread calls the functions of Analyser; begin(), stop()
/// and end() may be called from another one.
class EngineAnalyser : public Analyser {
public:
    explicit EngineAnalyser(engine::GeneralInterface& engine) : engine_{engine} {}

    /// Before a call: forgets an earlier stop().
    void begin() { stopped_ = ended_.load(); }
    /// Ends the call that is under way.
    void stop();
    /// Ends the analyses and reviews that are under way or come later as soon as they have some
    /// result. Explanations, which take two seconds at most, are finished.
    void end();

    std::vector<FoundPv> analyse(const core::Game& game,
                                 engine::Milliseconds time,
                                 int multipv,
                                 const Progress& progress) override;
    std::optional<std::vector<engine::review::PositionReview>> review(
        const std::vector<core::Game>& positions,
        std::uint64_t nodes,
        const Progress& progress) override;
    std::optional<engine::explain::Explanation> explain(const core::Game& game,
                                                        std::optional<core::Move> move) override;

private:
    engine::GeneralInterface& engine_;
    // Sequentially consistent: stop() and the start of a search must see each other's effect.
    std::atomic<bool> stopped_{false};
    std::atomic<bool> ended_{false};
    std::atomic<bool> explains_{false};
};

}  // namespace uci::mcp
