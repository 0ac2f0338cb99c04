#pragma once

#include <array>
#include <cstdint>

#include "core/position.hpp"

#include "engine/score.hpp"

namespace engine {

/// How far the static evaluation was off in positions like this one, learnt from what the search
/// found: by the pawns, by the other pieces of each player, and by the minor pieces. The player to
/// move has a table of its own in each.
class Corrections {
public:
    /// What to add to the evaluation, in centipawns for the player to move.
    Score of(const core::Position& position) const;
    /// A search of this depth found the position worth so much more than its evaluation.
    void learn(const core::Position& position, int depth, Score difference);

    void clear();

private:
    static constexpr std::size_t size = 16'384;
    using Table = std::array<std::array<std::int16_t, size>, 2>;

    struct Places {
        std::size_t player;
        std::size_t pawns;
        std::size_t white;
        std::size_t black;
        std::size_t minors;
    };

    static Places places_of(const core::Position& position);

    Table pawns_{};
    Table white_{};
    Table black_{};
    Table minors_{};
};

}  // namespace engine
