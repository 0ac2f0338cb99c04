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

/// What the games with names may need.
struct RegistryLimits {
    std::size_t games_of_client = max_games_of_client;
    std::size_t plies_of_client = max_plies_of_client;
    std::size_t plies_of_all = max_plies_of_all;
};

/// The games: the one that all clients share, which has no name, and `max_games` with names.
class GameRegistry {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit GameRegistry(const RegistryLimits& limits = {}) : limits_{limits} {}

    /// The game with a name, or the shared one; null when there is no such game.
    ServedGame* find(const std::string& name, Time now);
    /// Adds a game with a new name for a client: a net::client_key(), where an empty one has no
    /// limits of its own. If the registry is full, or the client has too many games, those that
    /// have expired are removed first: unused for long, or without moves. Null if that makes no
    /// room.
    ServedGame* add(const std::string& name, Time now, const std::string& client = {});
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

    /// How many plies the game with a name may have: `max_plies`, or fewer when all games together,
    /// or those of the client who has begun it, have nearly as many as they may. Its own plies, as
    /// count_plies() last saw them, do not count against it.
    std::size_t max_plies_of(const std::string& name) const;
    /// To be called when a game has become longer or shorter.
    void count_plies(const std::string& name);

private:
    struct Entry {
        ServedGame game;
        Time last_use;
        std::string client;  ///< who has begun it
        std::size_t counted_plies = 0;
    };
    /// The games that one client has begun.
    struct Usage {
        std::size_t games = 0;
        std::size_t plies = 0;
    };
    using Games = std::map<std::string, Entry>;

    bool has_too_many_games(const std::string& client) const;
    Usage usage_of(const std::string& client) const;
    void remove_expired(Time now);
    Games::iterator erase(Games::iterator game);

    ServedGame shared_;
    Games named_;
    RegistryLimits limits_;
    std::size_t plies_ = 0;  ///< of all games with a name
    std::map<std::string, Usage> clients_;
    Time next_removal_;  ///< not before
};

}  // namespace uci::chenserver
