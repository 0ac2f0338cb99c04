#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string_view>

#include "core/game.hpp"

#include "uci/chezz/ids.hpp"

namespace uci::chezz {

/// The rules that whoever runs the server may choose, for all games.
struct Rules {
    /// A promotion without its letter is to a queen. chezz's front end sends no letter when White
    /// is at the bottom of the board.
    bool queen_by_default = true;
    /// The third repetition and the fiftieth move end the game without a claim. The front end has
    /// no message for such a draw, so it gets a stalemate, after which it accepts no moves.
    bool draws_stop_play = false;
};

/// A user's role in a game.
enum class Relation : std::uint8_t { white, black, observer };

std::string_view name(Relation relation);

/// A game, its two players, and what the moves do not show. A value.
struct GameState {
    GameId id{};
    core::Game game;
    std::array<std::optional<UserId>, 2> seats;  ///< White's and Black's players
    /// The engine's time for a move, if it is one of the players.
    std::optional<std::chrono::milliseconds> engine_time;
    std::optional<int> engine_elo;  ///< its strength, if that is limited
    std::optional<core::Color> resigned;
    bool draw_claimed = false;

    std::optional<UserId>& seat(core::Color color) { return seats[core::index_of(color)]; }
    const std::optional<UserId>& seat(core::Color color) const {
        return seats[core::index_of(color)];
    }
};

/// A new game with one player and one free seat.
GameState new_game_state(GameId id, UserId player, core::Color color);

Relation relation_of(const GameState& state, UserId user);
bool has_free_seat(const GameState& state);
/// Gives a user without a seat a free one, Black's before White's. False: there is none, or the
/// user has a seat.
bool take_free_seat(GameState& state, UserId user);

/// Whether the game goes on and it is the engine's turn.
bool awaits_engine(const GameState& state, const Rules& rules);

enum class EndReason : std::uint8_t {
    checkmate,
    stalemate,
    resignation,
    threefold_repetition,
    fivefold_repetition,
    fifty_moves,
    seventy_five_moves,
    insufficient_material
};

std::string_view name(EndReason reason);

struct Ending {
    EndReason reason{};
    std::optional<core::Color> winner;  ///< none in a draw

    friend bool operator==(const Ending&, const Ending&) = default;
};

/// How the game has ended, if it has, by FIDE's rules. The fifth repetition, the 75th move and dead
/// positions end it at once; the third repetition and the fiftieth move only when a player claims
/// the draw, which the engine always does.
std::optional<Ending> ending_of(const GameState& state, const Rules& rules);

/// The draw that a player may claim now.
std::optional<EndReason> claimable_draw(const GameState& state, const Rules& rules);

}  // namespace uci::chezz
