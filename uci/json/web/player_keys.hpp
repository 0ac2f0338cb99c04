#pragma once

#include <array>
#include <string>

#include "uci/json/request.hpp"

namespace uci::json::web {

/// Who may act for White and Black: whoever knows the key with which the side was claimed. As long
/// as no side is claimed, everybody may do everything.
class PlayerKeys {
public:
    /// Claims a side, or claims it again with the same key; false when it has another key.
    bool claim(core::Color player, const std::string& key);
    /// Gives a side up; false when it has another key or none.
    bool release(core::Color player, const std::string& key);

    bool is_claimed(core::Color player) const { return !keys_[index_of(player)].empty(); }
    /// Whether a client with that key, empty for none, may make a request.
    bool allow(const Request& request, core::Color to_move, const std::string& key) const;

private:
    bool may_act_for(core::Color player, const std::string& key) const;
    bool is_spectator(const std::string& key) const;

    std::array<std::string, 2> keys_;
};

}  // namespace uci::json::web
