#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/json/web/room_refresher.hpp"
#include "uci/server/game_log.hpp"
#include "uci/util/log_throttle.hpp"
#include "uci/util/secure_random.hpp"

namespace uci::json::web {

/// All games that the server keeps, by id: those in use in memory, and all others in the store, if
/// there is one. Belongs to the server's thread.
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
    /// Reads a game in memory again, because another server has changed or removed it in the store.
    void refresh(const std::string& id);
    /// Reads all games in memory again, because another server may have changed them. Those that
    /// the store has lost, or of which it has lost the last changes, are stored again.
    void refresh_all();
    /// Reads again what could not be read, and takes over the searches of servers that have ended.
    /// To be called once a second.
    void follow_other_servers();
    /// Calls back with a game that another server has removed: its clients must go.
    void when_removed(OnClosed callback) { on_removed_ = std::move(callback); }
    /// Removes a game in which no request was ever granted, once it has no clients.
    void remove_if_unused(const std::string& id);
    /// Removes the games that have been idle for too long, stores those again that would expire in
    /// the store though they are used, and has stored ones leave memory that have been idle for
    /// some time.
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
    using Found = core::Result<RoomStore::Found>;
    using Opened = core::Result<std::shared_ptr<GameRoom>>;

    bool make_space(GameRoom::Time now);
    void evict_idle(GameRoom::Time now);
    Rooms::iterator forget(Rooms::iterator item);
    void finish_refresh(const std::string& id,
                        RoomRefresher::Cause cause,
                        const RoomStore::Found& found);
    void note_lacking_search(const std::string& id);
    void check_searcher(const std::string& server);
    void take_over_searches(const std::string& server, bool is_running);
    void finish_opening(const std::string& id, const Found& found);
    Opened room_of(const std::string& id, const Found& found);

    RoomServices services_;
    OnClosed on_removed_;
    std::size_t max_games_;
    GameRoom::Time next_eviction_;  ///< not before
    util::SecureRandom randomness_;
    server::GameLog log_;
    Rooms rooms_;
    std::map<std::string, std::vector<OnOpened>> opening_;  ///< those that wait for the store
    util::LogThrottle unreadable_records_;
    std::optional<RoomRefresher> refresher_;  ///< none without a store
    std::set<std::string> lacking_search_;    ///< the games that lack their search for a move
    std::set<std::string> checked_servers_;   ///< whether they run is being asked
};

}  // namespace uci::json::web
