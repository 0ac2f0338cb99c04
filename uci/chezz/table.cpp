#include "uci/chezz/table.hpp"

namespace uci::chezz {

namespace {

using core::Color;
using core::Outcome;

constexpr int fivefold = 5;
constexpr int plies_of_75_moves = 150;

bool has_engine(const Table& table) {
    return table.seats[0] == engine_user || table.seats[1] == engine_user;
}

/// The draw by repetition or without progress that the position on the board would be.
std::optional<EndReason> drawn_position(const core::Game& game) {
    switch (game.outcome()) {
        case Outcome::threefold_repetition: return EndReason::threefold_repetition;
        case Outcome::fifty_moves: return EndReason::fifty_moves;
        default: return std::nullopt;
    }
}

/// The same where nobody is asked.
std::optional<EndReason> forced_draw(const core::Game& game) {
    if (game.occurrences() >= fivefold)
        return EndReason::fivefold_repetition;
    if (game.position().halfmove_clock() >= plies_of_75_moves)
        return EndReason::seventy_five_moves;
    return std::nullopt;
}

}  // namespace

std::string_view name(Relation relation) {
    switch (relation) {
        case Relation::white: return "white";
        case Relation::black: return "black";
        default: return "observer";
    }
}

std::string_view name(EndReason reason) {
    switch (reason) {
        case EndReason::checkmate: return "checkmate";
        case EndReason::stalemate: return "stalemate";
        case EndReason::resignation: return "resignation";
        case EndReason::threefold_repetition: return "threefold repetition";
        case EndReason::fivefold_repetition: return "fivefold repetition";
        case EndReason::fifty_moves: return "fifty moves";
        case EndReason::seventy_five_moves: return "seventy-five moves";
        default: return "insufficient material";
    }
}

Table new_table(GameId id, UserId maker, Color color) {
    Table table;
    table.id = id;
    table.seat(color) = maker;
    return table;
}

Relation relation_of(const Table& table, UserId user) {
    if (table.seat(Color::white) == user)
        return Relation::white;
    return table.seat(Color::black) == user ? Relation::black : Relation::observer;
}

bool has_free_seat(const Table& table) {
    return !table.seat(Color::white) || !table.seat(Color::black);
}

bool take_seat(Table& table, UserId user) {
    if (relation_of(table, user) != Relation::observer)
        return false;
    for (const Color color : {Color::black, Color::white}) {
        if (!table.seat(color)) {
            table.seat(color) = user;
            return true;
        }
    }
    return false;
}

bool awaits_engine(const Table& table, const Rules& rules) {
    return table.seat(table.game.position().side_to_move()) == engine_user
        && !ending_of(table, rules);
}

std::optional<Ending> ending_of(const Table& table, const Rules& rules) {
    const auto outcome = table.game.outcome();
    if (outcome == Outcome::checkmate)
        return Ending{EndReason::checkmate, ~table.game.position().side_to_move()};
    if (outcome == Outcome::stalemate)
        return Ending{EndReason::stalemate, std::nullopt};
    if (table.resigned)
        return Ending{EndReason::resignation, ~*table.resigned};
    if (outcome == Outcome::insufficient_material)
        return Ending{EndReason::insufficient_material, std::nullopt};
    const auto draw = drawn_position(table.game);
    if (draw && (table.draw_claimed || rules.draws_stop_play || has_engine(table)))
        return Ending{*draw, std::nullopt};
    if (const auto forced = forced_draw(table.game))
        return Ending{*forced, std::nullopt};
    return std::nullopt;
}

std::optional<EndReason> claimable_draw(const Table& table, const Rules& rules) {
    if (ending_of(table, rules))
        return std::nullopt;
    return drawn_position(table.game);
}

}  // namespace uci::chezz
