#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string_view>

#include "core/game.hpp"

#include "uci/chezz/identity.hpp"

namespace uci::chezz {

/// What people may choose about the rules, for all games.
struct Rules {
    /// A pawn's move to the last rank without a letter makes a queen: the front end asks for no
    /// letter when the board is the right way up.
    bool queen_by_default = true;
    /// The third repetition and the fiftieth move end the game by themselves, and are shown as a
    /// stalemate to the front end, which has no word for them: then it lets nobody move.
    bool draws_stop_play = false;
};

/// What a person is in a game.
enum class Relation : std::uint8_t { white, black, observer };

std::string_view name(Relation relation);

/// Two seats, a board between them, and what the moves on it do not tell. A value.
struct Table {
    GameId id{};
    core::Game game;
    std::array<std::optional<UserId>, 2> seats;  ///< White's and Black's
    /// How long the engine thinks about a move, where it has one of the seats.
    std::optional<std::chrono::milliseconds> engine_time;
    std::optional<core::Color> resigned;
    bool draw_claimed = false;

    std::optional<UserId>& seat(core::Color color) { return seats[core::index_of(color)]; }
    const std::optional<UserId>& seat(core::Color color) const {
        return seats[core::index_of(color)];
    }
};

/// A new game: its maker has one seat, the other is free.
Table new_table(GameId id, UserId maker, core::Color color);

Relation relation_of(const Table& table, UserId user);
/// Whether nobody has one of the seats.
bool has_free_seat(const Table& table);
/// Gives a user who has none a free seat, Black's before White's. Whether there was one.
bool take_seat(Table& table, UserId user);

/// Whether it is the engine's turn, in a game that goes on.
bool awaits_engine(const Table& table, const Rules& rules);

/// Why a game has ended.
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
    std::optional<core::Color> winner;  ///< nobody in a draw

    friend bool operator==(const Ending&, const Ending&) = default;
};

/// How a game has ended, if it has. FIDE's rules: the fifth repetition, the 75th move and dead
/// material end it by themselves; the third and the fiftieth when a player claims the draw, which
/// the engine always does.
std::optional<Ending> ending_of(const Table& table, const Rules& rules);

/// The draw that a player may claim now.
std::optional<EndReason> claimable_draw(const Table& table, const Rules& rules);

}  // namespace uci::chezz
