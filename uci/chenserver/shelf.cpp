#include "uci/chenserver/shelf.hpp"

namespace uci::chenserver {

core::Game* Shelf::find(const std::string& name, Time now) {
    if (name.empty())
        return &shared_;
    const auto found = named_.find(name);
    if (found == named_.end())
        return nullptr;
    found->second.last_use = now;
    return &found->second.game;
}

core::Game* Shelf::add(const std::string& name, Time now) {
    if (named_.size() >= most_games)
        clear_away(now);
    if (named_.size() >= most_games)
        return nullptr;
    return &named_.emplace(name, Entry{core::Game{}, now}).first->second.game;
}

void Shelf::clear_away(Time now) {
    std::erase_if(named_,
                  [&](const auto& item) { return now - item.second.last_use >= longest_rest; });
}

}  // namespace uci::chenserver
