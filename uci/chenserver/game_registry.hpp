#pragma once

#include <chrono>
#include <map>
#include <string>

#include "core/game.hpp"

namespace uci::chenserver {

/// The games: the one that all clients share, which has no name, and `max_games` with names.
class GameRegistry {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// The game with a name, or the shared one; null when there is no such game.
    core::Game* find(const std::string& name, Time now);
    /// Adds a game with a new name; null when there are too many.
    core::Game* add(const std::string& name, Time now);
    std::size_t count() const { return named_.size(); }

private:
    struct Entry {
        core::Game game;
        Time last_use;
    };

    void remove_expired(Time now);

    core::Game shared_;
    std::map<std::string, Entry> named_;
};

}  // namespace uci::chenserver
