#include "uci/net/play/lobby.hpp"

#include <algorithm>
#include <utility>

#include "uci/net/play/game_id.hpp"
#include "uci/net/play/limits.hpp"

namespace uci::net::play {

std::shared_ptr<Room> Lobby::open(Room::Time now) {
    if (rooms_.size() >= most_games)
        make_room(now);
    if (rooms_.size() >= most_games)
        return nullptr;
    const auto id = make_game_id(randomness_);
    return rooms_[id] = std::make_shared<Room>(id, thinker_);
}

/// Forgets the game that has rested longest, if that is long enough.
void Lobby::make_room(Room::Time now) {
    const auto longest =
        std::min_element(rooms_.begin(), rooms_.end(), [](const auto& one, const auto& other) {
            const auto key = [](const Room& room) {
                return std::pair{!room.is_deserted(), room.last_visit()};
            };
            return key(*one.second) < key(*other.second);
        });
    if (longest == rooms_.end() || !longest->second->is_deserted())
        return;
    if (now - longest->second->last_visit() > shortest_rest)
        rooms_.erase(longest);
}

std::shared_ptr<Room> Lobby::find(const std::string& id) const {
    const auto found = rooms_.find(id);
    return found == rooms_.end() ? nullptr : found->second;
}

void Lobby::close_untouched(const std::string& id) {
    const auto room = find(id);
    if (room && room->is_untouched() && room->is_deserted())
        rooms_.erase(id);
}

void Lobby::sweep(Room::Time now) {
    std::erase_if(rooms_, [now](const auto& item) {
        const Room& room = *item.second;
        return room.is_deserted() && now - room.last_visit() > longest_rest;
    });
}

}  // namespace uci::net::play
