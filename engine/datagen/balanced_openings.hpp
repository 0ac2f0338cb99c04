#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/position.hpp"

namespace engine::datagen {

struct OpeningRules {
    std::uint64_t seed = 0;
    std::vector<core::Position>
        book;                  ///< random moves follow one of these; empty: a start position
    int chess960_percent = 0;  ///< of the start positions
};

/// Draws balanced opening positions, no two alike, that depend on the seed alone: those of datagen's
/// games, or random moves behind the positions of a book. Gives each to `take`, until it returns false
/// or there are no more.
void draw_openings(const OpeningRules& rules,
                   const std::function<bool(const core::Position&)>& take);

}  // namespace engine::datagen
