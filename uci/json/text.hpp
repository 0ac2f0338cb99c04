#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/position.hpp"

#include "engine/score.hpp"

// What a client is told, in JSON: values in, one line of text out.
namespace uci::json {

/// What a move did besides going from one square to another.
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

/// What a legal move does in a position.
Events events_of(const core::Position& position, core::Move move);

/// How a game ended: who won, nobody in a draw, and why.
struct Ending {
    std::optional<core::Color> victor;
    std::string_view reason;
};

/// Whether the key en_passant_capture is followed by its misspelt twin, which old clients of the
/// interface may look for.
enum class Spelling : std::uint8_t { correct, also_misspelt };

/// What may be played in a position (nothing when the game is over), and what has happened.
std::string next_legal_moveset(const core::Position& position,
                               const Events& events,
                               bool is_over,
                               Spelling spelling);
std::string promotion_prompt();
std::string game_end(const Ending& ending);
/// The one answer to everything that cannot be done.
std::string failure();
/// What the engine plays, or would play, with its score for the player to move.
std::string engine_move(core::Move move, engine::Score score);
std::string hint(core::Move move, engine::Score score);

}  // namespace uci::json
