#include "uci/json/web/player_keys.hpp"

#include <algorithm>

namespace uci::json::web {

bool PlayerKeys::take_seat(core::Color player, const std::string& key, const std::string& name) {
    if (is_taken(player) && keys_[index_of(player)] != key)
        return false;
    keys_[index_of(player)] = key;
    names_[index_of(player)] = name;
    return true;
}

bool PlayerKeys::leave_seat(core::Color player, const ClientKeys& keys) {
    if (!owns(player, keys))
        return false;
    keys_[index_of(player)].clear();
    names_[index_of(player)].clear();
    return true;
}

bool PlayerKeys::is_any_taken() const {
    return is_taken(core::Color::white) || is_taken(core::Color::black);
}

bool PlayerKeys::may_act_for(core::Color player, const ClientKeys& keys) const {
    if (!is_any_taken())
        return true;
    return is_taken(player) ? owns(player, keys) : is_player(keys);
}

bool PlayerKeys::allow(const Request& request,
                       const GameStage& stage,
                       const ClientKeys& keys) const {
    const auto* clock = std::get_if<ClockRequest>(&request);
    const bool only_asks =
        std::holds_alternative<GetLegalMoveset>(request) || (clock != nullptr && !clock->control);
    if (!is_any_taken() || only_asks)
        return true;
    if (std::holds_alternative<Explain>(request) && stage.is_over)
        return true;
    if (std::holds_alternative<Hint>(request) || std::holds_alternative<Explain>(request)
        || std::holds_alternative<Tablebase>(request))
        return is_player(keys);
    if (std::holds_alternative<TakeBack>(request) || clock != nullptr)
        return is_only_player(keys);
    if (std::holds_alternative<NewGame>(request) || std::holds_alternative<LoadPgn>(request))
        return stage.is_over ? is_player(keys) : is_only_player(keys);
    if (const auto* resignation = std::get_if<Resignation>(&request))
        return may_act_for(resignation->player, keys);
    if (const auto* timeout = std::get_if<Timeout>(&request))
        return may_act_for(timeout->player, keys);
    return !is_taken(stage.to_move) || owns(stage.to_move, keys);
}

/// Whether a seat was taken with one of these keys.
bool PlayerKeys::owns(core::Color player, const ClientKeys& keys) const {
    return is_taken(player)
        && std::find(keys.begin(), keys.end(), keys_[index_of(player)]) != keys.end();
}

bool PlayerKeys::is_player(const ClientKeys& keys) const {
    return std::any_of(both_players.begin(), both_players.end(),
                       [&](core::Color player) { return owns(player, keys); });
}

/// Whether a client has every seat that is taken.
bool PlayerKeys::is_only_player(const ClientKeys& keys) const {
    return is_player(keys)
        && std::all_of(both_players.begin(), both_players.end(),
                       [&](core::Color player) { return !is_taken(player) || owns(player, keys); });
}

}  // namespace uci::json::web
