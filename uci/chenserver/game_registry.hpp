#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/game.hpp"

namespace uci::chenserver {

/// A game, and how strong the engine plays in it.
struct ServedGame {
    core::Game game;
    std::optional<int> elo;    ///< none is full strength
    std::uint64_t number = 0;  ///< how many games were begun before under this name
};

/// The games: the one that all clients share, which has no name, and `max_games` with names.
class GameRegistry {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// The game with a name, or the shared one; null when there is no such game.
    ServedGame* find(const std::string& name, Time now);
    /// Adds a game with a new name; null when there are too many.
    ServedGame* add(const std::string& name, Time now);
    std::size_t count() const { return named_.size(); }

private:
    struct Entry {
        ServedGame game;
        Time last_use;
    };

    void remove_expired(Time now);

    ServedGame shared_;
    std::map<std::string, Entry> named_;
};

}  // namespace uci::chenserver
