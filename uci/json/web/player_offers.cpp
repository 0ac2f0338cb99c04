#include "uci/json/web/player_offers.hpp"

#include <utility>

namespace uci::json::web {

namespace {

/// How many moves a player has made.
std::size_t moves_of(core::Color player, const core::Game& game) {
    const bool is_first = game.start().side_to_move() == player;
    return (game.moves().size() + (is_first ? 1 : 0)) / 2;
}

}  // namespace

bool PlayerOffers::offer_draw(core::Color player, const Session& session) {
    follow(session);
    const auto moves = moves_of(player, session.game());
    auto& last = last_draw_offer_[index_of(player)];
    if (!session.is_playing() || session.game().moves().size() < 2 || (last && moves <= *last))
        return false;
    last = moves;
    draw_ = player;
    answerer_moves_ = moves_of(~player, session.game());
    return true;
}

bool PlayerOffers::offer_rematch(core::Color player, const Session& session) {
    follow(session);
    if (!session.is_over() || std::exchange(has_offered_rematch_[index_of(player)], true))
        return false;
    rematch_ = player;
    return true;
}

void PlayerOffers::follow(const Session& session) {
    if (game_ != session.games_before())
        *this = PlayerOffers{};
    game_ = session.games_before();
    const auto plies = session.game().moves().size();
    if (session.is_over() || plies < plies_
        || (draw_ && moves_of(~*draw_, session.game()) > answerer_moves_))
        draw_.reset();
    if (!session.is_over()) {
        rematch_.reset();
        has_offered_rematch_ = {};
    }
    plies_ = plies;
}

bool engine_accepts_draw(const core::Position& position, std::optional<engine::Score> score) {
    return score && *score <= engine::draw && position.fullmove_number() >= first_draw_move;
}

}  // namespace uci::json::web
