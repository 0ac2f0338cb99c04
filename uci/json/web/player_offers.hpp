#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/piece.hpp"

#include "uci/json/session.hpp"

namespace uci::json::web {

/// What the players of a game offer each other: a draw, or a rematch after the end. A value.
class PlayerOffers {
public:
    /// Forgets the offers that a game has gone past; to be called after every change of it. The
    /// offer of a draw ends when the other player moves, when a move is taken back, and with the
    /// game.
    void follow(const Session& session);

    /// Who offers a draw.
    std::optional<core::Color> draw() const { return draw_; }
    /// Who offers a rematch.
    std::optional<core::Color> rematch() const { return rematch_; }

    /// False when the player may not: before both have moved, and twice before another move of his
    /// own.
    bool offer_draw(core::Color player, const Session& session);
    /// False when the player may not: before the end, and twice after the same game.
    bool offer_rematch(core::Color player, const Session& session);

    void withdraw_draw() { draw_.reset(); }
    void withdraw_rematch() { rematch_.reset(); }

private:
    std::uint64_t game_ = 0;  ///< Session::games_before() of what follows
    std::size_t plies_ = 0;   ///< as last seen
    std::optional<core::Color> draw_;
    std::size_t answerer_moves_ = 0;  ///< of the other player, when the draw was offered
    /// How many moves White and Black had made when they last offered a draw.
    std::array<std::optional<std::size_t>, 2> last_draw_offer_;
    std::optional<core::Color> rematch_;
    std::array<bool, 2> has_offered_rematch_{};
};

/// The first move number at which the engine accepts a draw.
inline constexpr int first_draw_move = 20;

/// Whether the engine accepts a draw: from move 20 on, if it does not think that it is better.
/// `score` is that of its last move.
bool engine_accepts_draw(const core::Position& position, std::optional<engine::Score> score);

}  // namespace uci::json::web
