#include "uci/json/web/player_keys.hpp"

#include <algorithm>

namespace uci::json::web {

namespace {

/// The player that a request acts for; nobody when it concerns the whole game.
struct ActingPlayer {
    core::Color to_move;

    using Player = std::optional<core::Color>;
    Player operator()(const PieceMove& /*request*/) const { return to_move; }
    Player operator()(const PromotionChoice& /*request*/) const { return to_move; }
    Player operator()(const EngineMove& /*request*/) const { return to_move; }
    Player operator()(const Resignation& request) const { return request.player; }
    Player operator()(const NewGame& /*request*/) const { return std::nullopt; }
    Player operator()(const Timeout& /*request*/) const { return std::nullopt; }
    Player operator()(const GetLegalMoveset& /*request*/) const { return std::nullopt; }
    Player operator()(const Hint& /*request*/) const { return std::nullopt; }
};

bool changes_nothing(const Request& request) {
    return std::holds_alternative<GetLegalMoveset>(request)
        || std::holds_alternative<Hint>(request);
}

}  // namespace

bool PlayerKeys::take_seat(core::Color player, const std::string& key) {
    if (is_taken(player) && keys_[index_of(player)] != key)
        return false;
    keys_[index_of(player)] = key;
    return true;
}

bool PlayerKeys::leave_seat(core::Color player, const ClientKeys& keys) {
    if (!owns(player, keys))
        return false;
    keys_[index_of(player)].clear();
    return true;
}

bool PlayerKeys::allow(const Request& request, core::Color to_move, const ClientKeys& keys) const {
    if (changes_nothing(request))
        return true;
    const auto player = std::visit(ActingPlayer{to_move}, request);
    return player ? !is_taken(*player) || owns(*player, keys) : !is_spectator(keys);
}

/// Whether a seat was taken with one of these keys.
bool PlayerKeys::owns(core::Color player, const ClientKeys& keys) const {
    return is_taken(player)
        && std::find(keys.begin(), keys.end(), keys_[index_of(player)]) != keys.end();
}

/// Whether some seat is taken, but none with these keys.
bool PlayerKeys::is_spectator(const ClientKeys& keys) const {
    const bool any_taken = is_taken(core::Color::white) || is_taken(core::Color::black);
    return any_taken && !owns(core::Color::white, keys) && !owns(core::Color::black, keys);
}

}  // namespace uci::json::web
