#include "uci/json/web/game_registry.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "uci/json/web/game_id.hpp"
#include "uci/json/web/limits.hpp"

namespace uci::json::web {

std::shared_ptr<GameRoom> GameRegistry::create(GameRoom::Time now) {
    if (rooms_.size() >= max_games_)
        evict_idle(now);
    if (rooms_.size() >= max_games_)
        return nullptr;
    const auto id = make_game_id(randomness_);
    const auto room = std::make_shared<GameRoom>(id, queue_, tablebases_, reviews_, &log_);
    if (alarms_ != nullptr)
        room->use_alarms(*alarms_);
    return rooms_[id] = room;
}

/// Removes up to a hundredth of the games: idle ones, those without a move first. Scanning all games
/// is slow, so a scan that finds none is not repeated for a second.
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
        rooms_.erase(std::get<std::string>(*candidate));
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

bool GameRegistry::remove(const std::string& id) {
    const auto room = find(id);
    if (!room)
        return false;
    rooms_.erase(id);
    room->close();
    return true;
}

void GameRegistry::remove_expired(GameRoom::Time now) {
    std::erase_if(rooms_, [now](const auto& item) {
        const GameRoom& room = *item.second;
        return room.is_idle() && now - room.last_activity() > max_idle_time;
    });
}

}  // namespace uci::json::web
