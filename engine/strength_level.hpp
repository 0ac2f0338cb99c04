#pragma once

#include <cstdint>

#include "core/position.hpp"
#include "core/zobrist.hpp"

#include "engine/limits.hpp"
#include "engine/score.hpp"

namespace engine {

/// A player of limited strength. Such a player searches less and misjudges positions, but plays the
/// move that its search finds best: no move is drawn at random. The limits are nodes and plies, not
/// time, so that a level is the same on every machine whose clock allows that many nodes.
struct StrengthLevel {
    int elo = 0;              ///< about that of Stockfish's UCI_Elo; see tools/match/levels.md
    std::uint64_t nodes = 0;  ///< no iteration begins after this many
    int depth = 1;            ///< plies
    /// Scale of the logistic noise on evaluations, in internal centipawns; its standard deviation
    /// is
    /// 1.81 times that.
    Score noise = 0;
};

inline constexpr int min_elo = 600;
inline constexpr int max_elo = 2'800;
inline constexpr int default_elo = 1'500;
/// The values of the option Skill Level: 0 to 20, and 20 is full strength.
inline constexpr int max_skill = 20;

/// The level of an Elo from min_elo to max_elo.
StrengthLevel strength_level(int elo);
/// The Elo of a skill from 0 to max_skill - 1.
int elo_of_skill(int skill);

/// The level to use in a position: the same one, or, if one side has only its king, one that
/// searches enough to mate.
StrengthLevel with_technique(StrengthLevel level, const core::Position& position);
/// The limits of a search by a player of that level.
Limits limited(Limits limits, const StrengthLevel& level);

/// The errors of a player of limited strength, added to its evaluations. An error depends on the
/// position and a seed, so a position is misjudged alike as long as the seed is the same.
class LeafNoise {
public:
    /// No noise.
    LeafNoise() = default;
    /// Noise of that scale: StrengthLevel::noise.
    LeafNoise(Score scale, std::uint64_t seed) : scale_{scale}, seed_{seed} {}

    bool is_on() const { return scale_ > 0; }
    /// An evaluation with its error. Known results are left alone. The error is smaller with fewer
    /// men, and smaller the more is won or lost already: there a weak player must still see that it
    /// is worse to lose a piece more.
    Score disturbed(Score evaluation, const core::Position& position) const;

private:
    Score scale_ = 0;
    std::uint64_t seed_ = 0;
};

/// The salt of a player of limited strength (SetGame::salt). It differs from the game's own and
/// from that of every other level and seed, so that no other search finds noisy scores in the
/// transposition table.
core::Key salt_of_level(core::Key game_salt, const StrengthLevel& level, std::uint64_t seed);

}  // namespace engine
