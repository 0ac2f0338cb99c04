#pragma once

#include <string>
#include <vector>

#include "core/game.hpp"

namespace uci::net::play {

/// The moves of a game in SAN, written down as they are played.
class Scoresheet {
public:
    /// The moves of the game: that of last time with more moves, or another one.
    const std::vector<std::string>& of(const core::Game& game);

private:
    bool continues(const core::Game& game) const;

    core::Position position_ = core::Position::start();  ///< after the moves
    std::vector<core::Key> keys_;                        ///< of all positions so far
    std::vector<std::string> lines_;
};

}  // namespace uci::net::play
