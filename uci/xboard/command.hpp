#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"
#include "core/result.hpp"

#include "engine/limits.hpp"

// Lines of xboard's protocol as command values. Pure functions: text in, values out. The protocol is
// version 2 of the Chess Engine Communication Protocol by Tim Mann and H. G. Muller.
namespace uci::xboard {

struct Ignored {};  ///< understood, and nothing to do: `random`, `computer`, `name` ...
struct IntroduceYourself {};
struct DebugAccepted {};
struct NewGame {};
struct SetVariant {
    bool chess960 = false;
};
struct Force {};
/// The engine plays the side to move from now on, or the other one.
struct TakeSide {
    bool to_move = true;
};
/// Obsolete: this side is to move, the engine plays the other one.
struct ToMove {
    core::Color side{};
};
struct Level {
    int moves = 0;  ///< in a time control; 0 for all of the game
    engine::Milliseconds base{0};
    engine::Milliseconds increment{0};
};
struct MoveTime {
    engine::Milliseconds time{0};  ///< 0 where a client has rounded down less than a second
};
struct DepthLimit {
    int depth = 0;
};
struct ClockTime {
    bool own = true;  ///< the engine's clock, not the opponent's
    engine::Milliseconds time{0};
};
struct Play {
    std::string move;  ///< in coordinates or SAN
};
struct MoveNow {};
struct AskStatus {};
struct Ping {
    std::int64_t number = 0;
};
struct OfferDraw {};
struct GameResult {};
struct SetBoard {
    std::string fen;
};
struct TakeBack {
    int plies = 1;
};
struct SetPondering {
    bool on = false;
};
struct SetPosting {
    bool on = false;
};
struct Analyze {};
struct ExitAnalysis {};
/// Leaves moves out of the search, or lets them in again.
struct RestrictMoves {
    bool exclude = true;
    std::optional<std::string> move;  ///< nothing means all
};
struct AskHint {};
struct AskBook {};
/// An option under the engine's own name.
struct SetEngineOption {
    std::string name;
    std::string value;
};

using Command = std::variant<Ignored,
                             IntroduceYourself,
                             DebugAccepted,
                             NewGame,
                             SetVariant,
                             Force,
                             TakeSide,
                             ToMove,
                             Level,
                             MoveTime,
                             DepthLimit,
                             ClockTime,
                             Play,
                             MoveNow,
                             AskStatus,
                             Ping,
                             OfferDraw,
                             GameResult,
                             SetBoard,
                             TakeBack,
                             SetPondering,
                             SetPosting,
                             Analyze,
                             ExitAnalysis,
                             RestrictMoves,
                             AskHint,
                             AskBook,
                             SetEngineOption>;

/// Parses a line; one that looks like a move needs no `usermove`. Error: the kind of error, as in the
/// protocol's "Error (unknown command): LINE".
core::Result<Command> parse_command(std::string_view line);

}  // namespace uci::xboard
