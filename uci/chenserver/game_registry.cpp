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

GameRegistry::Usage GameRegistry::usage_of(const std::string& client) const {
    const auto found = clients_.find(client);
    return found == clients_.end() ? Usage{} : found->second;
}

bool GameRegistry::has_too_many_games(const std::string& client) const {
    return named_.size() >= max_games
        || (!client.empty() && usage_of(client).games >= limits_.games_of_client);
}

ServedGame* GameRegistry::add(const std::string& name, Time now, const std::string& client) {
    if (has_too_many_games(client) || plies_ >= limits_.plies_of_all)
        remove_expired(now);
    if (has_too_many_games(client))
        return nullptr;
    ++clients_[client].games;
    return &named_.emplace(name, Entry{ServedGame{}, now, client}).first->second.game;
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
    const auto& entry = game->second;
    plies_ -= entry.counted_plies;
    auto& usage = clients_[entry.client];
    usage.plies -= entry.counted_plies;
    if (--usage.games == 0)
        clients_.erase(entry.client);
    return named_.erase(game);
}

std::size_t GameRegistry::max_plies_of(const std::string& name) const {
    if (name.empty())
        return max_plies;
    const auto left = [](std::size_t limit, std::size_t used) {
        return limit - std::min(used, limit);
    };
    const std::size_t left_of_all = left(limits_.plies_of_all, plies_);
    const auto found = named_.find(name);
    if (found == named_.end())
        return std::min(max_plies, left_of_all);
    const auto& entry = found->second;
    const std::size_t left_of_client =
        entry.client.empty() ? left_of_all
                             : left(limits_.plies_of_client, usage_of(entry.client).plies);
    return std::min(max_plies, entry.counted_plies + std::min(left_of_all, left_of_client));
}

void GameRegistry::count_plies(const std::string& name) {
    const auto found = named_.find(name);
    if (found == named_.end())
        return;
    auto& entry = found->second;
    auto& usage = clients_[entry.client];
    const auto plies = entry.game.game.moves().size();
    plies_ += plies - entry.counted_plies;
    usage.plies += plies - entry.counted_plies;
    entry.counted_plies = plies;
}

}  // namespace uci::chenserver
