#include "uci/chenserver/game_registry.hpp"

#include <algorithm>
#include <iterator>

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
    if (named_.size() >= max_games || plies_ >= max_plies_of_all_)
        remove_expired(now);
    if (named_.size() >= max_games)
        return nullptr;
    return &named_.emplace(name, Entry{ServedGame{}, now}).first->second.game;
}

void GameRegistry::remove(const std::string& name) {
    const auto found = named_.find(name);
    if (found != named_.end())
        erase(found);
}

/// Scanning all games is slow, so it happens at most once a second.
void GameRegistry::remove_expired(Time now) {
    if (now < next_removal_)
        return;
    for (auto game = named_.begin(); game != named_.end();) {
        const auto& entry = game->second;
        const auto unused = now - entry.last_use;
        const auto& played = entry.game.game;
        const bool is_new =
            played.moves().empty() && played.position().key() == core::Position::start().key();
        const bool expired = unused >= idle_ttl || (is_new && unused >= idle_ttl_without_move);
        game = expired ? erase(game) : std::next(game);
    }
    next_removal_ = now + std::chrono::seconds{1};
}

GameRegistry::Games::iterator GameRegistry::erase(Games::iterator game) {
    plies_ -= game->second.counted_plies;
    return named_.erase(game);
}

std::size_t GameRegistry::max_plies_of(const std::string& name) const {
    if (name.empty())
        return max_plies;
    const auto found = named_.find(name);
    const std::size_t own = found == named_.end() ? 0 : found->second.counted_plies;
    return std::min(max_plies, own + max_plies_of_all_ - std::min(plies_, max_plies_of_all_));
}

void GameRegistry::count_plies(const std::string& name) {
    const auto found = named_.find(name);
    if (found == named_.end())
        return;
    auto& entry = found->second;
    plies_ -= entry.counted_plies;
    entry.counted_plies = entry.game.game.moves().size();
    plies_ += entry.counted_plies;
}

}  // namespace uci::chenserver
