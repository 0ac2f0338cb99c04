#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/game.hpp"
#include "core/zobrist.hpp"

#include "engine/limits.hpp"

namespace engine {

// The commands to the Main Task, as values. It validates their texts, in order.

struct SetOption {
    std::string name;
    std::string value;
};
struct NewGame {};
/// The game to search: its start (the usual one without a FEN) and the moves played since.
struct SetGame {
    std::optional<std::string> fen;
    std::vector<std::string> moves;
    /// Keeps games apart. It is mixed into the keys of the transposition table, and a search with
    /// another salt than the one before begins with empty histories, so searches with different
    /// salts find nothing of each other's. A server that lets strangers play gives each game a
    /// random salt; a protocol with one game uses 0.
    core::Key salt = 0;
};
/// The same for a game that exists already.
struct SetGameTo {
    core::Game game;
    core::Key salt = 0;  ///< as in SetGame
    /// Of a player of limited strength, unless the option Level Seed is set; 0: another one in each
    /// game.
    std::uint64_t level_seed = 0;
};
struct Go {
    Limits limits;
};
struct Stop {};
struct PonderHit {};
/// What a Snapshot contains; each value includes the ones before it.
enum class SnapshotDetail : unsigned char {
    game,
    evaluation,    ///< and the static evaluation with its WDL
    contributions  ///< and what each piece contributes to it: one network inference per piece
};
/// Requests a Snapshot. The id comes back with it.
struct Ask {
    std::uint64_t id = 0;
    SnapshotDetail detail = SnapshotDetail::game;
};
struct Perft {
    int depth = 1;
};
struct Bench {
    std::optional<int> depth;
};
/// Requests an explanation of a move of the game's position, or without one of the best move; the
/// answer is Explained, or Refused.
struct Why {
    std::optional<std::string> move;
};
struct Quit {};

using Command = std::variant<SetOption,
                             NewGame,
                             SetGame,
                             SetGameTo,
                             Go,
                             Stop,
                             PonderHit,
                             Ask,
                             Perft,
                             Bench,
                             Why,
                             Quit>;

}  // namespace engine
