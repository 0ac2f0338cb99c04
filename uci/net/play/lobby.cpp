#include "uci/net/play/lobby.hpp"

#include "uci/net/play/game_id.hpp"
#include "uci/net/play/limits.hpp"

namespace uci::net::play {

std::shared_ptr<Room> Lobby::open() {
    const auto id = rooms_.size() < most_games ? make_game_id() : std::nullopt;
    if (!id)
        return nullptr;
    const auto room = std::make_shared<Room>(*id, thinker_);
    rooms_[*id] = room;
    return room;
}

std::shared_ptr<Room> Lobby::find(const std::string& id) const {
    const auto found = rooms_.find(id);
    return found == rooms_.end() ? nullptr : found->second;
}

void Lobby::close_untouched(const Room& room) {
    if (room.is_untouched() && room.is_deserted())
        rooms_.erase(room.id());
}

void Lobby::sweep(Room::Time now) {
    std::erase_if(rooms_, [now](const auto& item) {
        const Room& room = *item.second;
        return room.is_deserted() && now - room.last_visit() > longest_rest;
    });
}

}  // namespace uci::net::play
