#include "uci/net/play/scoresheet.hpp"

#include <algorithm>

#include "core/notation.hpp"

namespace uci::net::play {

const std::vector<std::string>& Scoresheet::of(const core::Game& game) {
    if (!continues(game)) {
        position_ = game.start();
        lines_.clear();
    }
    for (auto i = lines_.size(); i < game.moves().size(); ++i) {
        lines_.push_back(core::san(position_, game.moves()[i]));
        position_ = position_.after(game.moves()[i]);
    }
    keys_.assign(game.keys().begin(), game.keys().end());
    return lines_;
}

/// Positions of the same key may be told apart only by their counters, which SAN has not.
bool Scoresheet::continues(const core::Game& game) const {
    const auto keys = game.keys();
    return !keys_.empty() && keys.size() >= keys_.size()
        && std::equal(keys_.begin(), keys_.end(), keys.begin());
}

}  // namespace uci::net::play
