#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/position.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/analysis/explain/texts.hpp"
#include "engine/score.hpp"
#include "engine/tablebase/position_report.hpp"

#include "uci/json/game_clock.hpp"

// The answers of the JSON interface: values in, one line of text out.
namespace uci::json {

/// What a move did besides moving a piece from one square to another.
struct Events {
    struct Promotion {
        core::Square square;
        core::PieceType piece;
    };
    struct RookMove {
        core::Square from;
        core::Square to;
    };

    std::optional<core::Square> capture;  ///< where the captured piece stood
    bool en_passant = false;
    std::optional<Promotion> promotion;
    std::optional<RookMove> rook_move;
};

/// The events of a legal move in a position.
Events events_of(const core::Position& position, core::Move move);

/// How a game ended: the winner, none for a draw, and the reason.
struct Ending {
    std::optional<core::Color> victor;
    std::string reason;
};

/// Whether the key en_passant_capture is followed by its misspelt twin, which old clients of the
/// interface may expect.
enum class Spelling : std::uint8_t { correct, also_misspelt };

/// The legal moves of a position (none when the game is over) and the events of the last move.
std::string next_legal_moveset(const core::Position& position,
                               const Events& events,
                               bool is_over,
                               Spelling spelling);
std::string promotion_prompt();
std::string game_end(const Ending& ending);
/// What the clocks of a game show now.
std::string clock_message(const GameClock& clock, GameClock::Time now);
/// The one answer to every request that is invalid or impossible.
std::string failure();
/// The answer to a request that may succeed later. The reason ends the sentence that begins with
/// "failure: ".
std::string failure(std::string_view reason);
/// The move that the engine plays or suggests, with its score for the player to move.
std::string engine_move(core::Move move, engine::Score score);
std::string hint(core::Move move, engine::Score score);
/// Why a move of a position is good or bad.
std::string explanation(const core::Position& position,
                        const engine::explain::Explanation& explained,
                        engine::explain::Language language);
/// What endgame tables say of a position and of its moves, the best first.
std::string tablebase(const engine::tablebase::PositionReport& report);

}  // namespace uci::json
