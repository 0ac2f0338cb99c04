#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/position.hpp"

namespace engine::datagen {

struct OpeningRules {
    std::uint64_t seed = 0;
    /// Random moves follow one of these positions; empty: a start position.
    std::vector<core::Position> book;
    int chess960_percent = 0;  ///< of the start positions
};

/// Draws opening positions, no two alike, in which a short search sees neither side clearly ahead:
/// random_opening(), or random moves from the positions of a book. They depend on the rules alone.
/// Calls `take` with each, until it returns false or no new ones are found.
void draw_openings(const OpeningRules& rules,
                   const std::function<bool(const core::Position&)>& take);

}  // namespace engine::datagen
