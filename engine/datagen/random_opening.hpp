#pragma once

#include <cstdint>
#include <optional>

#include "core/position.hpp"

namespace engine::datagen {

/// A random number generator that gives the same numbers on every system: SplitMix64 by Steele,
/// Lea and Flood, OOPSLA 2014.
class Rng {
public:
    explicit Rng(std::uint64_t seed) : state_{seed} {}

    std::uint64_t next();
    /// A number from 0 to count - 1, nearly uniform.
    std::size_t uniform(std::size_t count);
    bool percent(int share) { return uniform(100) < static_cast<std::size_t>(share); }

private:
    std::uint64_t state_;
};

/// A position after eight or nine random plies, in the given share of cases from a start position
/// of double Fischer random chess. Nothing when the game has ended by then.
std::optional<core::Position> random_opening(Rng& rng, int chess960_percent);

/// The position after `plies` random moves, of which few lose a piece by SEE. Nothing when the game
/// has ended by then.
std::optional<core::Position> random_moves(Rng& rng, core::Position position, int plies);

}  // namespace engine::datagen
