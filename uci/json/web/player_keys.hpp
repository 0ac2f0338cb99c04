#pragma once

#include <array>
#include <string>

#include "uci/json/request.hpp"

namespace uci::json::web {

/// Who may act for White and Black: whoever knows the key with which the side was claimed. As long
/// as no side is claimed, everybody may do everything.
class PlayerKeys {
public:
    /// The keys with which a client claimed White and Black; empty for none.
    using ClientKeys = std::array<std::string, 2>;

    /// Claims a side, or claims it again with the same key; false when it has another key.
    bool claim(core::Color player, const std::string& key);
    /// Gives a side up; false when it is not claimed, or with a key that the client does not have.
    bool release(core::Color player, const ClientKeys& keys);

    bool is_claimed(core::Color player) const { return !keys_[index_of(player)].empty(); }
    /// Whether a client with these keys may make a request.
    bool allow(const Request& request, core::Color to_move, const ClientKeys& keys) const;

private:
    bool owns(core::Color player, const ClientKeys& keys) const;
    bool is_spectator(const ClientKeys& keys) const;

    std::array<std::string, 2> keys_;
};

}  // namespace uci::json::web
