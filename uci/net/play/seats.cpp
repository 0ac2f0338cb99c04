#include "uci/net/play/seats.hpp"

namespace uci::net::play {

namespace {

/// The player for whom something is asked; nobody when it concerns the whole game.
struct ForWhom {
    core::Color to_move;

    using Player = std::optional<core::Color>;
    Player operator()(const json::PieceMove& /*request*/) const { return to_move; }
    Player operator()(const json::PromotionChoice& /*request*/) const { return to_move; }
    Player operator()(const json::EngineMove& /*request*/) const { return to_move; }
    Player operator()(const json::Resignation& request) const { return request.player; }
    Player operator()(const json::NewGame& /*request*/) const { return std::nullopt; }
    Player operator()(const json::Timeout& /*request*/) const { return std::nullopt; }
    Player operator()(const json::GetLegalMoveset& /*request*/) const { return std::nullopt; }
    Player operator()(const json::Hint& /*request*/) const { return std::nullopt; }
};

bool changes_nothing(const json::Request& request) {
    return std::holds_alternative<json::GetLegalMoveset>(request)
        || std::holds_alternative<json::Hint>(request);
}

}  // namespace

bool Seats::take(core::Color player, const std::string& key) {
    if (!may_act_for(player, key))
        return false;
    keys_[index_of(player)] = key;
    return true;
}

bool Seats::leave(core::Color player, const std::string& key) {
    if (!is_taken(player) || !may_act_for(player, key))
        return false;
    keys_[index_of(player)].clear();
    return true;
}

bool Seats::allow(const json::Request& request, core::Color to_move, const std::string& key) const {
    if (changes_nothing(request))
        return true;
    const auto player = std::visit(ForWhom{to_move}, request);
    return player ? may_act_for(*player, key) : !is_spectator(key);
}

bool Seats::may_act_for(core::Color player, const std::string& key) const {
    return !is_taken(player) || keys_[index_of(player)] == key;
}

/// Whether others have taken seats, and this one none.
bool Seats::is_spectator(const std::string& key) const {
    const bool any_taken = is_taken(core::Color::white) || is_taken(core::Color::black);
    return any_taken && (key.empty() || (keys_[0] != key && keys_[1] != key));
}

}  // namespace uci::net::play
