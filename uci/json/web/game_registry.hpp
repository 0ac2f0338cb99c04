#pragma once

#include <map>
#include <memory>
#include <string>

#include "uci/json/web/game_room.hpp"
#include "uci/util/secure_random.hpp"

namespace uci::json::web {

/// All games that the server keeps, by id. Belongs to the server's thread.
class GameRegistry {
public:
    explicit GameRegistry(server::SearchQueue& queue) : queue_{queue} {}

    /// A new game. When there are too many, it replaces one that is idle; null when none is.
    std::shared_ptr<GameRoom> create(GameRoom::Time now);
    /// The game of that id; null when there is none.
    std::shared_ptr<GameRoom> find(const std::string& id) const;
    /// Removes a game in which no request was ever granted, once it has no clients.
    void remove_if_unused(const std::string& id);
    /// Removes the games that have been idle for too long.
    void remove_expired(GameRoom::Time now);

    std::size_t size() const { return rooms_.size(); }

private:
    void evict_idle(GameRoom::Time now);

    server::SearchQueue& queue_;
    util::SecureRandom randomness_;
    std::map<std::string, std::shared_ptr<GameRoom>, std::less<>> rooms_;
};

}  // namespace uci::json::web
