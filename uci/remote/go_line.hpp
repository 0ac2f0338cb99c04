#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/piece.hpp"

namespace uci::remote {

/// A `go` line that can be said again later, with the time that is left then.
class GoLine {
public:
    using Milliseconds = std::chrono::milliseconds;

    explicit GoLine(std::string_view line);

    /// Whether the search ends only when it is stopped.
    bool is_endless() const;
    bool is_ponder() const { return has("ponder"); }
    /// The moves that may be played; empty for all.
    std::vector<std::string> searchmoves() const;
    /// The time that the side to move has for this move or for the game; nothing without such a
    /// limit.
    std::optional<Milliseconds> movetime() const { return amount("movetime"); }
    std::optional<Milliseconds> clock(core::Color side) const;

    /// The search is no pondering any more.
    void end_pondering();
    /// The line as it is to be said after the side to move has used some time. `lag` is what a move
    /// needs on its way; it shortens a movetime.
    std::string text(core::Color side, Milliseconds used, Milliseconds lag) const;

private:
    bool has(std::string_view word) const;
    std::optional<Milliseconds> amount(std::string_view word) const;

    std::vector<std::string> words_;
};

}  // namespace uci::remote
