#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/game.hpp"

#include "uci/chenserver/limits.hpp"

namespace uci::chenserver {

/// A game, and how strong the engine plays in it.
struct ServedGame {
    core::Game game;
    std::optional<int> elo;    ///< none is full strength
    std::uint64_t number = 0;  ///< how many games were begun before under this name
    /// The last number that ended: moves may be taken back, and the game ends again.
    std::optional<std::uint64_t> ended_number{};
};

/// The games: the one that all clients share, which has no name, and `max_games` with names.
class GameRegistry {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit GameRegistry(std::size_t max_of_all = max_plies_of_all)
        : max_plies_of_all_{max_of_all} {}

    /// The game with a name, or the shared one; null when there is no such game.
    ServedGame* find(const std::string& name, Time now);
    /// Adds a game with a new name. If the registry is full, games that have expired are removed
    /// first: unused for long, or without moves. Null if none has expired.
    ServedGame* add(const std::string& name, Time now);
    void remove(const std::string& name);
    std::size_t count() const { return named_.size(); }
    bool contains(const std::string& name) const { return named_.contains(name); }
    /// Calls `visit` with some games, each with its name and last use.
    template <typename Visit>
    void visit_first(std::size_t limit, Visit visit) const {
        for (const auto& [name, entry] : named_) {
            if (limit-- == 0)
                return;
            visit(name, entry.game, entry.last_use);
        }
    }

    /// How many plies the game with a name may have: `max_plies`, or fewer when all games together have
    /// nearly max_plies_of_all. Its own plies, as count_plies() last saw them, do not count against it.
    std::size_t max_plies_of(const std::string& name) const;
    /// To be called when a game has become longer or shorter.
    void count_plies(const std::string& name);

private:
    struct Entry {
        ServedGame game;
        Time last_use;
        std::size_t counted_plies = 0;
    };
    using Games = std::map<std::string, Entry>;

    void remove_expired(Time now);
    Games::iterator erase(Games::iterator game);

    ServedGame shared_;
    Games named_;
    std::size_t max_plies_of_all_;
    std::size_t plies_ = 0;  ///< of all games with a name, at most max_plies_of_all_
    Time next_removal_;      ///< not before
};

}  // namespace uci::chenserver
