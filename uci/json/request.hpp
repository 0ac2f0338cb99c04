#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"

#include "engine/limits.hpp"

// What a client can ask for, as values. The first two are those of the interface; the others
// extend it.
namespace uci::json {

/// So long the engine may think about a move, whatever else a request allows.
inline constexpr engine::Milliseconds longest_thinking{60'000};
/// And so long when the request does not say.
inline constexpr engine::Milliseconds usual_thinking{1'000};

struct PieceMove {
    core::Square from;
    core::Square to;
};
struct PromotionChoice {
    core::PieceType piece;
};
struct NewGame {
    std::optional<std::string> fen;
};
struct GetLegalMoveset {};
struct Resignation {
    core::Color player;
};
struct Timeout {
    core::Color player;
};
/// The engine shall make the next move; for that player only, if one is named.
struct EngineMove {
    engine::Limits limits;
    std::optional<core::Color> player;
};
/// The engine shall say what it would play.
struct Hint {
    engine::Limits limits;
};

using Request = std::variant<PieceMove,
                             PromotionChoice,
                             NewGame,
                             GetLegalMoveset,
                             Resignation,
                             Timeout,
                             EngineMove,
                             Hint>;

/// The request that a message is; nothing when it is none, for whatever reason. Members that
/// the request does not know are ignored.
std::optional<Request> read_request(std::string_view message);

}  // namespace uci::json
