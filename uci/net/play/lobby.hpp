#pragma once

#include <map>
#include <memory>
#include <string>

#include "uci/net/play/room.hpp"
#include "uci/net/randomness.hpp"

namespace uci::net::play {

/// All games that are kept. Belongs to the server's thread.
class Lobby {
public:
    explicit Lobby(Thinker& thinker) : thinker_{thinker} {}

    /// A room for a new game; none when there are too many. One that rests makes room for it.
    std::shared_ptr<Room> open(Room::Time now);
    /// The room of that game; none when there is no such game.
    std::shared_ptr<Room> find(const std::string& id) const;
    /// Takes a game away if nothing ever happened in it and nobody is there.
    void close_untouched(const std::string& id);
    /// Forgets the games that rest for too long.
    void sweep(Room::Time now);

    std::size_t size() const { return rooms_.size(); }

private:
    void make_room(Room::Time now);

    Thinker& thinker_;
    Randomness randomness_;
    std::map<std::string, std::shared_ptr<Room>, std::less<>> rooms_;
};

}  // namespace uci::net::play
