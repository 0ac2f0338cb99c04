#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"

#include "engine/analysis/explain/texts.hpp"
#include "engine/limits.hpp"

#include "uci/json/game_clock.hpp"

// The requests of a client, as values. The first two belong to the published interface, the others
// extend it.
namespace uci::json {

/// The longest time for a move, whatever else a request allows.
inline constexpr engine::Milliseconds max_think_time{60'000};
/// The time for a move when a request has no limit.
inline constexpr engine::Milliseconds default_think_time{1'000};

struct PieceMove {
    core::Square from;
    core::Square to;
};
struct PromotionChoice {
    core::PieceType piece;
};
struct NewGame {
    std::optional<std::string> fen;
    std::optional<TimeControl> clock;  ///< none: a game without clocks
};
/// Gives a game clocks before its first move; without a control it asks for them.
struct ClockRequest {
    std::optional<TimeControl> control;
};
/// A game in PGN, to go on with or to review.
struct LoadPgn {
    std::string pgn;
};
struct GetLegalMoveset {};
struct Resignation {
    core::Color player;
};
struct Timeout {
    core::Color player;
};
/// Takes back the last plies, also of a game that has ended.
struct TakeBack {
    int plies = 1;
};
/// The engine makes the next move; if a player is named, only when it is that player's turn.
struct EngineMove {
    engine::Limits limits;
    std::optional<core::Color> player;
    bool names_limit = false;  ///< whether the request has one; in a game with clocks it needs none
};
/// The engine says what it would play.
struct Hint {
    engine::Limits limits;
};

/// Why a move is good or bad: one of the position, or without any the best one; or with a ply,
/// counted from 0, a move that was played.
struct Explain {
    std::optional<core::Square> from;  ///< with `to`
    std::optional<core::Square> to;
    core::PieceType promotes_to = core::PieceType::queen;
    std::optional<std::uint64_t> ply;
    engine::explain::Language language = engine::explain::Language::english;
};

/// What the endgame tables say of the position.
struct Tablebase {};

using Request = std::variant<PieceMove,
                             PromotionChoice,
                             NewGame,
                             ClockRequest,
                             LoadPgn,
                             GetLegalMoveset,
                             Resignation,
                             Timeout,
                             TakeBack,
                             EngineMove,
                             Hint,
                             Explain,
                             Tablebase>;

class StrictObject;

/// The member "language": English without it, nothing when it is neither "en" nor "de".
std::optional<engine::explain::Language> read_language(const StrictObject& object);

/// Reads a message; nothing when it is not a valid request, for whatever reason. Unknown members
/// are ignored.
std::optional<Request> read_request(std::string_view message);

}  // namespace uci::json
