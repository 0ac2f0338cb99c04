#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/game.hpp"

#include "engine/limits.hpp"

namespace engine {

/// What can be asked of the Main Task, as values. Texts are checked there, in order.
struct SetOption {
    std::string name;
    std::string value;
};
struct NewGame {};
/// A start (the usual one when there is no FEN) and the moves played since.
struct SetGame {
    std::optional<std::string> fen;
    std::vector<std::string> moves;
};
/// A game that was put together elsewhere.
struct TakeGame {
    core::Game game;
};
struct Go {
    Limits limits;
};
struct Stop {};
struct PonderHit {};
/// The subject comes back with the answer, so that the asker knows what it was about.
struct Ask {
    std::string subject;
};
struct Perft {
    int depth = 1;
};
struct Bench {
    std::optional<int> depth;
};
struct Quit {};

using Command = std::
    variant<SetOption, NewGame, SetGame, TakeGame, Go, Stop, PonderHit, Ask, Perft, Bench, Quit>;

}  // namespace engine
