#pragma once

#include <string>
#include <vector>

#include "core/game.hpp"
#include "core/move.hpp"
#include "core/position.hpp"
#include "core/result.hpp"

namespace tools::bench {

/// A position and a move that is legal in it.
struct Step {
    core::Position position;
    core::Move move{};
};

/// What the benchmarks work on: the games of games.pgn and what follows from them. Always the same.
struct Inputs {
    std::vector<std::string> game_texts;    ///< one PGN each
    std::vector<core::Game> games;          ///< those of game_texts
    std::vector<core::Position> positions;  ///< all positions of the games but the last ones
    std::vector<core::Position> evasions;   ///< after each legal move that gives check
    std::vector<Step> steps;                ///< all legal moves in all positions
    std::vector<Step> captures;             ///< the captures among them
    std::vector<Step> played;               ///< the moves of the games
};

/// Reads the games in the program. Error: the game that cannot be read, and why.
[[nodiscard]] core::Result<Inputs> make_inputs();

}  // namespace tools::bench
