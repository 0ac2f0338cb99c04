#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/server/game_log.hpp"
#include "uci/util/log_throttle.hpp"
#include "uci/util/secure_random.hpp"

namespace uci::json::web {

/// All games that the server keeps, by id: those in use in memory, and all others in the store, if there
/// is one. Belongs to the server's thread.
class GameRegistry {
public:
    /// Null: there is no such game. Error: it cannot be read now.
    using OnOpened = std::function<void(const core::Result<std::shared_ptr<GameRoom>>&)>;
    using OnClosed = std::function<void(const std::string& id)>;

    explicit GameRegistry(RoomServices services, std::size_t capacity = max_games);

    /// A new game. When there are too many, it replaces idle ones: those without a move first, then
    /// those that have been idle for the longest time. Null when none is idle for long enough.
    std::shared_ptr<GameRoom> create(GameRoom::Time now);
    /// The game of that id, at once or when it has been read from the store.
    void open(const std::string& id, OnOpened callback);
    /// The game of that id, if it is in memory; else null.
    std::shared_ptr<GameRoom> find(const std::string& id) const;
    /// Calls back with a game that another process has changed in the store, so that it must be opened again.
    void when_outdated(OnClosed callback) { on_outdated_ = std::move(callback); }
    /// Removes a game in which no request was ever granted, once it has no clients.
    void remove_if_unused(const std::string& id);
    /// Removes the games that have been idle for too long, and stores those again that would expire in the
    /// store though they are used.
    void remove_expired(GameRoom::Time now);

    /// The number of games in memory.
    std::size_t size() const { return rooms_.size(); }
    /// Some of the games in memory.
    std::vector<std::shared_ptr<GameRoom>> first(std::size_t limit) const;
    /// Ends a game and forgets it. False if there is none.
    void remove(const std::string& id, RoomStore::OnDone callback);
    const server::GameLog& log() const { return log_; }

private:
    using Rooms = std::map<std::string, std::shared_ptr<GameRoom>, std::less<>>;
    using Found = core::Result<std::optional<std::string>>;
    using Opened = core::Result<std::shared_ptr<GameRoom>>;

    bool make_space(GameRoom::Time now);
    void evict_idle(GameRoom::Time now);
    Rooms::iterator forget(Rooms::iterator item);
    void forget_outdated(const std::string& id);
    void finish_opening(const std::string& id, const Found& found);
    Opened room_of(const std::string& id, const Found& found);

    RoomServices services_;
    OnClosed on_outdated_;
    std::size_t max_games_;
    GameRoom::Time next_eviction_;  ///< not before
    util::SecureRandom randomness_;
    server::GameLog log_;
    Rooms rooms_;
    std::map<std::string, std::vector<OnOpened>> opening_;  ///< those that wait for the store
    util::LogThrottle unreadable_records_;
};

}  // namespace uci::json::web
