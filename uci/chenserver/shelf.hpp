#pragma once

#include <chrono>
#include <map>
#include <string>

#include "core/game.hpp"

namespace uci::chenserver {

/// Where the games lie between two commands: one that all clients share, and games by name. Of
/// those there are at most `most_games`; one that nobody touches for `longest_rest` may be
/// cleared away.
class Shelf {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::size_t most_games = 1'000;
    static constexpr std::chrono::hours longest_rest{24};
    /// No game can be longer, so that the games need no more than about 300 MB.
    static constexpr std::size_t most_plies = 20'000;

    /// The game of a name, if there is one; the shared one has no name.
    core::Game* find(const std::string& name, Time now);
    /// A new game for a name that has none; nothing when there are too many.
    core::Game* add(const std::string& name, Time now);
    std::size_t count() const { return named_.size(); }

private:
    struct Entry {
        core::Game game;
        Time last_use;
    };

    void clear_away(Time now);

    core::Game shared_;
    std::map<std::string, Entry> named_;
};

}  // namespace uci::chenserver
