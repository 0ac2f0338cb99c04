#pragma once

#include <optional>
#include <string>

#include "core/game.hpp"

namespace core {

/// An opening, as lichess-org/chess-openings (CC0) names it.
struct Opening {
    std::string eco;   ///< its code in the Encyclopaedia of Chess Openings, such as "C65"
    std::string name;  ///< in UTF-8, such as "Ruy Lopez: Berlin Defense"
};

/// The opening of the last position of the game that has a name, whichever moves led to it; nothing
/// if none has.
[[nodiscard]] std::optional<Opening> opening_of(const Game& game);

/// How many positions have a name.
[[nodiscard]] std::size_t number_of_openings();

}  // namespace core
