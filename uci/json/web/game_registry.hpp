#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/server/game_log.hpp"
#include "uci/util/secure_random.hpp"

namespace uci::json::web {

/// All games that the server keeps, by id. Belongs to the server's thread.
class GameRegistry {
public:
    explicit GameRegistry(server::SearchQueue& queue,
                          SharedTablebases tablebases = nullptr,
                          ReviewService* reviews = nullptr,
                          std::size_t most = max_games)
        : queue_{queue},
          tablebases_{std::move(tablebases)},
          reviews_{reviews},
          max_games_{most} {}

    /// Has games end in time when a flag falls.
    void use_alarms(server::Alarms& alarms) { alarms_ = &alarms; }

    /// A new game. When there are too many, it replaces idle ones: those without a move first, then
    /// those that have been idle for the longest time. Null when none is idle for long enough.
    std::shared_ptr<GameRoom> create(GameRoom::Time now);
    /// The game of that id; null when there is none.
    std::shared_ptr<GameRoom> find(const std::string& id) const;
    /// Removes a game in which no request was ever granted, once it has no clients.
    void remove_if_unused(const std::string& id);
    /// Removes the games that have been idle for too long.
    void remove_expired(GameRoom::Time now);

    std::size_t size() const { return rooms_.size(); }
    /// Some of the games.
    std::vector<std::shared_ptr<GameRoom>> first(std::size_t limit) const;
    /// Ends a game and forgets it. False if there is none.
    bool remove(const std::string& id);
    const server::GameLog& log() const { return log_; }

private:
    void evict_idle(GameRoom::Time now);

    server::SearchQueue& queue_;
    SharedTablebases tablebases_;
    ReviewService* reviews_;
    std::size_t max_games_;
    server::Alarms* alarms_ = nullptr;
    GameRoom::Time next_eviction_;  ///< not before
    util::SecureRandom randomness_;
    server::GameLog log_;
    std::map<std::string, std::shared_ptr<GameRoom>, std::less<>> rooms_;
};

}  // namespace uci::json::web
