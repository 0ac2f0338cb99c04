#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/response.hpp"

#include "uci/json/session.hpp"
#include "uci/json/web/review_service.hpp"

// The messages of `parley serve` beyond the answers of the JSON interface.
namespace uci::json::web {

/// The clients of a game.
struct RoomStatus {
    std::array<bool, 2> is_taken{};           ///< the seats of White and Black
    std::size_t present = 0;                  ///< clients connected
    std::optional<core::Color> draw_offer{};  ///< who offers a draw
    std::optional<core::Color> rematch_offer{};
    int rematches = 0;                     ///< how often the players have changed colours
    std::optional<GameClock::Time> now{};  ///< for the clocks, which are left out without it
    std::array<std::string, 2> names{};    ///< of White and Black; empty for none
};

/// Everything that is needed to show a game. `moves` are those played, in SAN.
std::string game_message(std::string_view id,
                         const Session& session,
                         std::span<const std::string> moves,
                         const RoomStatus& status);

/// At most max_positions positions of a game with the moves that led there, the first one after so
/// many plies; `from` must not be more than were played.
std::string positions_message(const core::Game& game, std::size_t from);

/// The position after so many plies of a game, and those after the moves of a line from there on,
/// in SAN with blanks in between. Nothing if one of them is no legal move there, or if they are too
/// many. `from` must not be more than were played.
std::optional<std::string> line_positions_message(const core::Game& game,
                                                  std::size_t from,
                                                  const std::string& line);

/// What the engine thinks of the last position of a game: its pvs, the best first, with scores for
/// White. At most so many of them are sent.
std::string analysis_message(const core::Game& game,
                             std::span<const engine::Info> pvs,
                             int max_lines);

std::string seat_taken(core::Color player);
/// The answers to offers, such as "draw_offered" and "rematch_declined", with the player who made
/// or declined one.
std::string offer_message(std::string_view type, core::Color player);
std::string seat_left(core::Color player);
std::string analysis_started();
std::string analysis_stopped();
std::string search_stopped();
std::string review_message(const ReviewStatus& status);

}  // namespace uci::json::web
