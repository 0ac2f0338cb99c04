#pragma once

#include <string>
#include <vector>

#include "core/game.hpp"

namespace uci::json::web {

/// The moves of a game in SAN. Only new moves are written when the game has grown.
class SanHistory {
public:
    /// The moves of a game: the one of the last call with more moves, or another one.
    const std::vector<std::string>& update(const core::Game& game);

private:
    bool continues(const core::Game& game) const;

    core::Position position_ = core::Position::start();  ///< after the moves
    std::vector<core::Key> keys_;                        ///< of all positions so far
    std::vector<std::string> sans_;
};

}  // namespace uci::json::web
