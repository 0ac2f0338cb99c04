#include "uci/chenserver/game_registry.hpp"

#include "uci/chenserver/limits.hpp"

namespace uci::chenserver {

ServedGame* GameRegistry::find(const std::string& name, Time now) {
    if (name.empty())
        return &shared_;
    const auto found = named_.find(name);
    if (found == named_.end())
        return nullptr;
    found->second.last_use = now;
    return &found->second.game;
}

ServedGame* GameRegistry::add(const std::string& name, Time now) {
    if (named_.size() >= max_games)
        remove_expired(now);
    if (named_.size() >= max_games)
        return nullptr;
    return &named_.emplace(name, Entry{ServedGame{}, now}).first->second.game;
}

void GameRegistry::remove_expired(Time now) {
    std::erase_if(named_, [&](const auto& item) { return now - item.second.last_use >= idle_ttl; });
}

}  // namespace uci::chenserver
