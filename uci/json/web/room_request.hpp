#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"

#include "engine/analysis/explain/texts.hpp"

// Requests for games with several clients. The published interface has nothing of the kind: who
// does not make these requests receives its messages and nothing else.
namespace uci::json::web {

/// Sends the state of the game, now and whenever it has changed.
struct FollowGame {};
/// Sends positions of the game, from one that came after so many plies; or instead of those of the
/// game, those after the moves of a line, in SAN with blanks in between.
struct GetPositions {
    std::uint64_t from = 0;
    std::optional<std::string> line{};
};
/// From now on only clients with the key may move for that player.
struct TakeSeat {
    core::Color player;
    std::string key;
    std::string name{};  ///< for the other clients; may be empty
};
/// Everybody may move for that player again.
struct LeaveSeat {
    core::Color player;
};
/// Sends the engine's analysis of the current position and of those to come, with so many lines.
struct StartAnalysis {
    int lines = 1;
};
struct StopAnalysis {};
/// The engine makes the move that it searches at once: the best one found so far.
struct MoveNow {};
/// Reviews the game; whoever follows it hears how far the review is. The names are
/// White's and Black's.
struct StartReview {
    std::array<std::string, 2> players;
    engine::explain::Language language = engine::explain::Language::english;
};

/// A player offers a draw; the engine answers at once, another player when he wants to.
struct OfferDraw {
    core::Color player = core::Color::white;
    bool to_engine = false;
};
/// The player who accepts or declines the other one's offer.
struct AcceptDraw {
    core::Color player;
};
struct DeclineDraw {
    core::Color player;
};
/// The same for another game with colours changed. The player is named by the colour of the last
/// game.
struct OfferRematch {
    core::Color player;
};
struct AcceptRematch {
    core::Color player;
};
struct DeclineRematch {
    core::Color player;
};

using RoomRequest = std::variant<FollowGame,
                                 GetPositions,
                                 TakeSeat,
                                 LeaveSeat,
                                 StartAnalysis,
                                 StopAnalysis,
                                 MoveNow,
                                 StartReview,
                                 OfferDraw,
                                 AcceptDraw,
                                 DeclineDraw,
                                 OfferRematch,
                                 AcceptRematch,
                                 DeclineRematch>;

// Bytes of a key.
inline constexpr std::size_t min_key_size = 16;
inline constexpr std::size_t max_key_size = 64;

/// Reads a message; nothing when it is not a valid request of this kind, for whatever reason.
std::optional<RoomRequest> read_room_request(std::string_view message);

}  // namespace uci::json::web
