#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/game.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/evaluate/evaluate.hpp"
#include "engine/limits.hpp"
#include "engine/search_listener.hpp"
#include "engine/tablebase/tablebases.hpp"

namespace engine::explain {

struct ExplainRules {
    /// Of the first search of each position; the second, which must agree, has twice as many. The
    /// explanation of a move is the same each time if no time limits it.
    std::uint64_t nodes = 50'000;
    std::optional<Milliseconds> time;               ///< for everything together
    const tablebase::Tablebases* tables = nullptr;  ///< Syzygy tables, if there are any
};

/// For somebody who waits: ends within two seconds.
inline constexpr ExplainRules interactive_rules{50'000, Milliseconds{1'800}, nullptr};

/// How the game has ended by the rules, in words ("checkmate"); nothing if it has not.
std::optional<std::string_view> end_of(const core::Game& game);

/// Explains a move, or without one the move that a search finds best: what can be proved of it, how
/// it compares with the better move. Nothing if the listener has stopped it. The game must not be
/// over, and the move must be legal.
std::optional<Explanation> explain(const core::Game& game,
                                   std::optional<core::Move> move,
                                   const ExplainRules& rules,
                                   const evaluate::Evaluate& evaluate,
                                   SearchListener& listener);

}  // namespace engine::explain
