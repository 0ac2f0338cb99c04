#include "uci/json/web/game_registry.hpp"

#include <algorithm>
#include <utility>

#include "uci/json/web/game_id.hpp"
#include "uci/json/web/limits.hpp"

namespace uci::json::web {

std::shared_ptr<GameRoom> GameRegistry::create(GameRoom::Time now) {
    if (rooms_.size() >= max_games)
        evict_idle(now);
    if (rooms_.size() >= max_games)
        return nullptr;
    const auto id = make_game_id(randomness_);
    return rooms_[id] = std::make_shared<GameRoom>(id, queue_);
}

/// Removes the game that has been idle longest, if that is long enough.
void GameRegistry::evict_idle(GameRoom::Time now) {
    const auto oldest =
        std::min_element(rooms_.begin(), rooms_.end(), [](const auto& one, const auto& other) {
            const auto key = [](const GameRoom& room) {
                return std::pair{!room.is_idle(), room.last_activity()};
            };
            return key(*one.second) < key(*other.second);
        });
    if (oldest == rooms_.end() || !oldest->second->is_idle())
        return;
    if (now - oldest->second->last_activity() > min_idle_time)
        rooms_.erase(oldest);
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

void GameRegistry::remove_expired(GameRoom::Time now) {
    std::erase_if(rooms_, [now](const auto& item) {
        const GameRoom& room = *item.second;
        return room.is_idle() && now - room.last_activity() > max_idle_time;
    });
}

}  // namespace uci::json::web
