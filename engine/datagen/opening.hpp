#pragma once

#include <cstdint>
#include <optional>

#include "core/position.hpp"

namespace engine {

/// Chance that is the same on every system and in every run (SplitMix64, by Steele, Lea and
/// Flood).
class Chance {
public:
    explicit Chance(std::uint64_t seed) : state_{seed} {}

    std::uint64_t next();
    /// A number from 0 to count - 1.
    std::size_t below(std::size_t count);
    bool percent(int share) { return below(100) < static_cast<std::size_t>(share); }

private:
    std::uint64_t state_;
};

/// A position eight or nine random plies into a game, so many percent of them from a start of
/// double Fischer random chess. Nothing when the game has ended already.
std::optional<core::Position> random_opening(Chance& chance, int chess960_percent);

}  // namespace engine
