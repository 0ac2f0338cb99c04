#include "uci/json/web/san_history.hpp"

#include <algorithm>

#include "core/notation.hpp"

namespace uci::json::web {

const std::vector<std::string>& SanHistory::update(const core::Game& game) {
    if (!continues(game)) {
        position_ = game.start();
        sans_.clear();
    }
    for (auto i = sans_.size(); i < game.moves().size(); ++i) {
        sans_.push_back(core::san(position_, game.moves()[i]));
        position_ = position_.after(game.moves()[i]);
    }
    keys_.assign(game.keys().begin(), game.keys().end());
    return sans_;
}

// Keys are enough: positions with equal keys differ only in counters, which SAN does not show.
bool SanHistory::continues(const core::Game& game) const {
    const auto keys = game.keys();
    return !keys_.empty() && keys.size() >= keys_.size()
        && std::equal(keys_.begin(), keys_.end(), keys.begin());
}

}  // namespace uci::json::web
