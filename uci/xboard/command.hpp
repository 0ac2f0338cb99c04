#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"
#include "core/result.hpp"

#include "engine/limits.hpp"

// Lines of xboard's protocol as command values. Pure functions: text in, values out. The protocol
// is version 2 of the Chess Engine Communication Protocol by Tim Mann and H. G. Muller.
namespace uci::xboard {

struct Ignored {};        ///< `random`, `computer`, `name` ...: understood, and nothing to do
struct Protover {};       ///< `protover N`: asks for the features
struct AcceptedDebug {};  ///< `accepted debug`
struct NewGame {};        ///< `new`
/// `variant NAME`
struct SetVariant {
    bool chess960 = false;
};
struct Force {};  ///< `force`
/// `go` and `playother`: the engine plays the side to move from now on, or the other one.
struct TakeSide {
    bool to_move = true;
};
/// `white` and `black`, both obsolete: this side is to move, the engine plays the other one.
struct ToMove {
    core::Color side{};
};
/// `level MOVES BASE INCREMENT`
struct Level {
    int moves = 0;  ///< in a time control; 0 for all of the game
    engine::Milliseconds base{0};
    engine::Milliseconds increment{0};
};
/// `st SECONDS`
struct MoveTime {
    engine::Milliseconds time{0};  ///< 0 where a client has rounded down less than a second
};
/// `sd PLIES`
struct DepthLimit {
    int depth = 0;
};
/// `time CENTISECONDS` and `otim CENTISECONDS`
struct ClockTime {
    bool own = true;  ///< the engine's clock, not the opponent's
    engine::Milliseconds time{0};
};
/// `usermove MOVE`, or the move alone
struct UserMove {
    std::string move;  ///< in coordinates or SAN
};
struct MoveNow {};    ///< `?`
struct AskStatus {};  ///< `.`
/// `ping N`
struct Ping {
    std::int64_t number = 0;
};
struct OfferDraw {};   ///< `draw`
struct GameResult {};  ///< `result RESULT {REASON}`
/// `setboard FEN`
struct SetBoard {
    std::string fen;
};
/// `undo` and `remove`
struct TakeBack {
    int plies = 1;
};
/// `hard` and `easy`
struct SetPondering {
    bool on = false;
};
/// `post` and `nopost`
struct SetPosting {
    bool on = false;
};
struct Analyze {};       ///< `analyze`
struct ExitAnalysis {};  ///< `exit`
/// `exclude` and `include`: leaves moves out of the search, or lets them in again.
struct RestrictMoves {
    bool exclude = true;
    std::optional<std::string> move;  ///< nothing means all
};
struct AskHint {};  ///< `hint`
struct AskBook {};  ///< `bk`
/// `option`, `memory`, `cores` and `egtpath`: an option under the engine's own name.
struct SetEngineOption {
    std::string name;
    std::string value;
};

using Command = std::variant<Ignored,
                             Protover,
                             AcceptedDebug,
                             NewGame,
                             SetVariant,
                             Force,
                             TakeSide,
                             ToMove,
                             Level,
                             MoveTime,
                             DepthLimit,
                             ClockTime,
                             UserMove,
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

/// Parses a line; one that looks like a move needs no `usermove`. Error: the kind of error, as in
/// the protocol's "Error (unknown command): LINE".
core::Result<Command> parse_command(std::string_view line);

}  // namespace uci::xboard
