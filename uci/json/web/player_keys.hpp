#pragma once

#include <array>
#include <string>
#include <utility>

#include "uci/json/request.hpp"

namespace uci::json::web {

inline constexpr std::array both_players{core::Color::white, core::Color::black};

/// The part of a game's state on which permissions depend.
struct GameStage {
    core::Color to_move = core::Color::white;
    bool is_over = false;
};

/// Who may act for White and Black: whoever knows the key with which the seat was taken; and the
/// names that the players gave. As long as no seat is taken, everybody may do everything.
class PlayerKeys {
public:
    /// The keys with which a client took the seats of White and Black; empty for none.
    using ClientKeys = std::array<std::string, 2>;

    /// The names of White and Black; empty for none.
    using Names = std::array<std::string, 2>;

    PlayerKeys() = default;
    /// The keys with which the seats were taken; empty for none.
    PlayerKeys(ClientKeys keys, Names names) : keys_{std::move(keys)}, names_{std::move(names)} {}
    const ClientKeys& keys() const { return keys_; }
    const Names& names() const { return names_; }

    /// Takes a seat, or takes it again with the same key, perhaps under another name; false when it
    /// has another key.
    bool take_seat(core::Color player, const std::string& key, const std::string& name = {});
    /// Leaves a seat; false when it is not taken, or with a key that the client does not have.
    bool leave_seat(core::Color player, const ClientKeys& keys);

    bool is_taken(core::Color player) const { return !keys_[index_of(player)].empty(); }
    bool is_any_taken() const;
    /// Whether a client may end a game for a player, or agree to something: if the seat is not
    /// taken, as the engine's may be, for the opponent too.
    bool may_act_for(core::Color player, const ClientKeys& keys) const;
    /// The players change colours.
    void swap() {
        std::swap(keys_[0], keys_[1]);
        std::swap(names_[0], names_[1]);
    }
    /// Whether a client with these keys may make a request. Once a seat is taken: moves for a
    /// player whose seat is taken, resignation and timeout only by that player; hints, explanations
    /// and what endgame tables say only for a player (explanations after the end for everybody);
    /// taking back only by the only player; a new game only by a player, and before the end of the
    /// last one only by the only player, who alone sets its clocks. Any other request counts as a
    /// move.
    bool allow(const Request& request, const GameStage& stage, const ClientKeys& keys) const;

private:
    bool owns(core::Color player, const ClientKeys& keys) const;
    bool is_player(const ClientKeys& keys) const;
    bool is_only_player(const ClientKeys& keys) const;

    ClientKeys keys_;
    Names names_;
};

}  // namespace uci::json::web
