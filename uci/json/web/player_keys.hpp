#pragma once

#include <array>
#include <string>

#include "uci/json/request.hpp"

namespace uci::json::web {

/// Who may act for White and Black: whoever knows the key with which the seat was taken. As long
/// as no seat is taken, everybody may do everything.
class PlayerKeys {
public:
    /// The keys with which a client took the seats of White and Black; empty for none.
    using ClientKeys = std::array<std::string, 2>;

    /// Takes a seat, or takes it again with the same key; false when it has another key.
    bool take_seat(core::Color player, const std::string& key);
    /// Leaves a seat; false when it is not taken, or with a key that the client does not have.
    bool leave_seat(core::Color player, const ClientKeys& keys);

    bool is_taken(core::Color player) const { return !keys_[index_of(player)].empty(); }
    /// Whether a client with these keys may make a request.
    bool allow(const Request& request, core::Color to_move, const ClientKeys& keys) const;

private:
    bool owns(core::Color player, const ClientKeys& keys) const;
    bool is_spectator(const ClientKeys& keys) const;

    std::array<std::string, 2> keys_;
};

}  // namespace uci::json::web
