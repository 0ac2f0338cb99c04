#include "uci/json/web/game_registry.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "uci/json/web/game_id.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/util/log.hpp"

namespace uci::json::web {

GameRegistry::GameRegistry(RoomServices services, std::size_t capacity)
    : services_{std::move(services)},
      max_games_{capacity} {
    services_.log = &log_;
    services_.on_outdated = [this](const std::string& id) { refresh(id); };
    services_.on_lacking_search = [this](const std::string& id) { note_lacking_search(id); };
    if (services_.store != nullptr)
        refresher_.emplace(*services_.store, [this](const auto& id, auto cause, const auto& found) {
            finish_refresh(id, cause, found);
        });
}

std::shared_ptr<GameRoom> GameRegistry::create(GameRoom::Time now) {
    if (!make_space(now))
        return nullptr;
    const auto id = make_game_id(randomness_);
    return rooms_[id] = std::make_shared<GameRoom>(id, services_);
}

void GameRegistry::open(const std::string& id, OnOpened callback) {
    auto room = find(id);
    if (room || services_.store == nullptr || !is_game_id(id)) {
        callback(std::move(room));
        return;
    }
    auto& waiting = opening_[id];
    waiting.push_back(std::move(callback));
    if (waiting.size() == 1)
        services_.store->find(id, [this, id](const Found& found) { finish_opening(id, found); });
}

void GameRegistry::finish_opening(const std::string& id, const Found& found) {
    const auto opened = room_of(id, found);
    const auto waiting = opening_.extract(id);
    for (const auto& callback : waiting.mapped())
        callback(opened);
}

void GameRegistry::refresh(const std::string& id) {
    if (refresher_ && find(id))
        refresher_->add(id, RoomRefresher::Cause::has_changed);
}

void GameRegistry::refresh_all() {
    if (!refresher_)
        return;
    for (const auto& [id, room] : rooms_) {
        if (room->is_stored())
            refresher_->add(id, RoomRefresher::Cause::may_have_changed);
    }
}

void GameRegistry::finish_refresh(const std::string& id,
                                  RoomRefresher::Cause cause,
                                  const RoomStore::Found& found) {
    const auto room = find(id);
    if (!room)
        return;
    const bool has_changed = cause == RoomRefresher::Cause::has_changed;
    if (!found && !has_changed)
        return room->repair(std::nullopt);
    if (!found) {
        rooms_.erase(id);
        room->close();
        if (on_removed_)
            on_removed_(id);
        return;
    }
    const auto& record = found->record;
    if (!record)
        return refresher_->log_failure(id, record.reason());
    // Redis may lose the changes of its last second when it is killed.
    if (!has_changed && record->revision < room->revision())
        return room->repair(found->text);
    room->refresh(*record, found->text);
}

void GameRegistry::follow_other_servers() {
    if (refresher_)
        refresher_->retry();
    std::set<std::string> servers;
    std::erase_if(lacking_search_, [&](const std::string& id) {
        const auto room = find(id);
        if (room && room->lacks_search())
            servers.insert(room->searcher());
        return !room || !room->lacks_search();
    });
    for (const auto& server : servers)
        check_searcher(server);
}

void GameRegistry::note_lacking_search(const std::string& id) {
    lacking_search_.insert(id);
    if (const auto room = find(id))
        check_searcher(room->searcher());
}

/// Asks whether the server runs that searches for games here.
void GameRegistry::check_searcher(const std::string& server) {
    if (services_.store == nullptr || !checked_servers_.insert(server).second)
        return;
    services_.store->check_server(server, [this, server](const core::Result<bool>& is_running) {
        checked_servers_.erase(server);
        if (is_running)
            take_over_searches(server, *is_running && server != services_.store->server());
    });
}

/// Searches here for the moves of which another server does no longer.
void GameRegistry::take_over_searches(const std::string& server, bool is_running) {
    const auto oldest = std::chrono::steady_clock::now() - max_foreign_search;
    const auto lacking = lacking_search_;
    for (const auto& id : lacking) {
        const auto room = find(id);
        if (room && room->lacks_search() && room->searcher() == server
            && (!is_running || room->searched_since() < oldest))
            room->take_over_search();
    }
}

/// The room of a record, which is then in memory.
GameRegistry::Opened GameRegistry::room_of(const std::string& id, const Found& found) {
    if (!found)
        return found.error();
    if (!*found)
        return std::shared_ptr<GameRoom>{};
    const auto& [text, record, state] = **found;
    if (!record) {
        const auto now = std::chrono::steady_clock::now();
        if (const auto line = unreadable_records_.line("game " + id + ": " + record.reason(), now))
            util::log_error(*line);
        return std::shared_ptr<GameRoom>{};
    }
    if (wall_time() - record->active > max_idle_time)
        return std::shared_ptr<GameRoom>{};
    if (!make_space(std::chrono::steady_clock::now()))
        return core::Error{"too many games"};
    auto room = std::make_shared<GameRoom>(id, services_);
    rooms_[id] = room;
    room->restore(*record, text, state);
    return room;
}

/// False: there are too many games, and none is idle for long enough.
bool GameRegistry::make_space(GameRoom::Time now) {
    if (rooms_.size() >= max_games_)
        evict_idle(now);
    return rooms_.size() < max_games_;
}

/// Removes up to a hundredth of the games: idle ones, those without a move first. Scanning all
/// games is slow, so a scan that finds none is not repeated for a second.
void GameRegistry::evict_idle(GameRoom::Time now) {
    if (now < next_eviction_)
        return;
    using Candidate = std::tuple<bool, GameRoom::Time, std::string>;
    std::vector<Candidate> candidates;
    for (const auto& [id, room] : rooms_) {
        const auto idle_time = now - room->last_activity();
        if (room->is_idle()
            && (idle_time > min_idle_time
                || (!room->has_begun() && idle_time > min_idle_time_without_move)))
            candidates.emplace_back(room->has_begun(), room->last_activity(), id);
    }
    if (candidates.empty())
        next_eviction_ = now + std::chrono::seconds{1};
    const auto count = std::min(candidates.size(), max_games_ / 100 + 1);
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(candidates.begin(), end, candidates.end());
    for (auto candidate = candidates.begin(); candidate != end; ++candidate)
        forget(rooms_.find(std::get<std::string>(*candidate)));
}

/// Removes a game from memory and from the store. Returns the next one in memory.
GameRegistry::Rooms::iterator GameRegistry::forget(Rooms::iterator item) {
    // A record that cannot be removed now expires.
    if (item->second->is_stored())
        services_.store->remove(item->first, [](const core::Result<bool>&) {});
    return rooms_.erase(item);
}

std::shared_ptr<GameRoom> GameRegistry::find(const std::string& id) const {
    const auto found = rooms_.find(id);
    return found == rooms_.end() ? nullptr : found->second;
}

void GameRegistry::remove_if_unused(const std::string& id) {
    const auto room = find(id);
    if (room && room->is_unused() && room->is_idle())
        rooms_.erase(id);
}

std::vector<std::shared_ptr<GameRoom>> GameRegistry::first(std::size_t limit) const {
    std::vector<std::shared_ptr<GameRoom>> rooms;
    for (const auto& [id, room] : rooms_) {
        if (rooms.size() >= limit)
            break;
        rooms.push_back(room);
    }
    return rooms;
}

void GameRegistry::remove(const std::string& id, RoomStore::OnDone callback) {
    const auto room = find(id);
    if (room) {
        rooms_.erase(id);
        room->close();
    }
    if (services_.store == nullptr || !is_game_id(id) || (room && !room->is_stored())) {
        callback(room != nullptr);
        return;
    }
    services_.store->remove(id, [was_open = room != nullptr, callback = std::move(callback)](
                                    const core::Result<bool>& removed) {
        callback(removed ? core::Result<bool>{was_open || *removed} : removed);
    });
}

void GameRegistry::remove_expired(GameRoom::Time now) {
    std::size_t renewals = 0;
    for (auto item = rooms_.begin(); item != rooms_.end();) {
        GameRoom& room = *item->second;
        if (room.is_idle() && now - room.last_activity() > max_idle_time) {
            item = forget(item);
            continue;
        }
        if (renewals < max_renewals && room.renew(now))
            ++renewals;
        const bool may_leave =
            room.may_leave_memory() && now - room.last_activity() > max_idle_time_in_memory;
        item = may_leave ? rooms_.erase(item) : std::next(item);
    }
}

}  // namespace uci::json::web
