#pragma once

#include <array>
#include <string>

#include "uci/json/request.hpp"

namespace uci::net::play {

/// Who plays White and Black: whoever knows the key with which the seat was taken. As long as
/// both seats are free, everybody may do everything.
class Seats {
public:
    /// Takes a seat, or takes it again; false when it is another's.
    bool take(core::Color player, const std::string& key);
    /// Gives a seat back; false when it is not that of the key.
    bool leave(core::Color player, const std::string& key);

    bool is_taken(core::Color player) const { return !keys_[index_of(player)].empty(); }
    /// Whether someone with that key, or with none, may ask for something.
    bool allow(const json::Request& request, core::Color to_move, const std::string& key) const;

private:
    bool may_act_for(core::Color player, const std::string& key) const;
    bool is_spectator(const std::string& key) const;

    std::array<std::string, 2> keys_;
};

}  // namespace uci::net::play
