#include "uci/mcp/engine_analyser.hpp"

#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/notation.hpp"

namespace uci::mcp {

void EngineAnalyser::stop() {
    stopped_ = true;
    engine_.stop();
}

void EngineAnalyser::end() {
    ended_ = true;
    if (!explains_)
        stop();
}

std::vector<FoundPv> EngineAnalyser::analyse(const core::Game& game,
                                             engine::Milliseconds time,
                                             int multipv,
                                             const Progress& progress) {
    engine::Limits limits;
    limits.analysis = true;
    limits.movetime = time;
    if (ended_)
        limits.depth = 1;
    engine_.set_option("MultiPV", std::to_string(multipv));
    engine_.set_game(game);
    engine_.go(std::move(limits));
    // A stop before the search began has had no effect.
    if (stopped_)
        engine_.stop();
    std::vector<FoundPv> found(static_cast<std::size_t>(multipv));
    while (const auto response = engine_.next_response()) {
        if (std::holds_alternative<engine::BestMove>(*response))
            break;
        const auto* const info = std::get_if<engine::Info>(&*response);
        if (info == nullptr || info->bound != engine::Bound::exact || info->pv.empty()
            || info->multipv > multipv)
            continue;
        if (info->multipv == 1)
            progress(info->depth, 0,
                     fmt::format("depth {}: {}", info->depth,
                                 core::san(game.position(), info->pv.front())));
        found[static_cast<std::size_t>(info->multipv - 1)] = {info->score, info->depth, info->pv};
    }
    std::erase_if(found, [](const FoundPv& pv) { return pv.moves.empty(); });
    return found;
}

std::optional<std::vector<engine::review::PositionReview>> EngineAnalyser::review(
    const std::vector<core::Game>& positions,
    std::uint64_t nodes,
    const Progress& progress) {
    engine::review::ReviewRules rules;
    rules.nodes = nodes;
    std::size_t done = 0;
    auto reviews = engine::review::PositionReviewer{rules}.review(positions, stopped_, [&] {
        ++done;
        progress(static_cast<double>(done), static_cast<double>(positions.size()),
                 fmt::format("position {} of {}", done, positions.size()));
    });
    return reviews ? std::optional{std::move(*reviews)} : std::nullopt;
}

std::optional<engine::explain::Explanation> EngineAnalyser::explain(
    const core::Game& game,
    std::optional<core::Move> move) {
    explains_ = true;
    engine_.set_game(game);
    // Coordinates, castling as the king's move to its rook: read alike in all kinds of chess.
    engine_.why(move ? std::optional{core::to_uci(*move, core::CastlingStyle::king_takes_rook)}
                     : std::nullopt);
    // A stop before the work began has had no effect.
    if (stopped_ && !ended_)
        engine_.stop();
    std::optional<engine::explain::Explanation> explanation;
    while (auto response = engine_.next_response()) {
        if (auto* const explained = std::get_if<engine::Explained>(&*response))
            explanation = std::move(explained->explanation);
        if (explanation || std::holds_alternative<engine::Refused>(*response)
            || std::holds_alternative<engine::Notice>(*response))
            break;
    }
    explains_ = false;
    return explanation;
}

}  // namespace uci::mcp
