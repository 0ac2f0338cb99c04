#include "uci/chezz/game_state.hpp"

namespace uci::chezz {

namespace {

using core::Color;
using core::Outcome;

constexpr int fivefold = 5;
constexpr int plies_of_75_moves = 150;

bool has_engine(const GameState& state) {
    return state.seats[0] == engine_user || state.seats[1] == engine_user;
}

/// The draw by threefold repetition or fifty moves, which a player may claim.
std::optional<EndReason> drawn_position(const core::Game& game) {
    switch (game.outcome()) {
        case Outcome::threefold_repetition: return EndReason::threefold_repetition;
        case Outcome::fifty_moves: return EndReason::fifty_moves;
        default: return std::nullopt;
    }
}

/// The draw that needs no claim.
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

GameState new_game_state(GameId id, UserId player, Color color) {
    GameState state;
    state.id = id;
    state.seat(color) = player;
    return state;
}

Relation relation_of(const GameState& state, UserId user) {
    if (state.seat(Color::white) == user)
        return Relation::white;
    return state.seat(Color::black) == user ? Relation::black : Relation::observer;
}

bool has_free_seat(const GameState& state) {
    return !state.seat(Color::white) || !state.seat(Color::black);
}

bool take_free_seat(GameState& state, UserId user) {
    if (relation_of(state, user) != Relation::observer)
        return false;
    for (const Color color : {Color::black, Color::white}) {
        if (!state.seat(color)) {
            state.seat(color) = user;
            return true;
        }
    }
    return false;
}

bool awaits_engine(const GameState& state, const Rules& rules) {
    return state.seat(state.game.position().side_to_move()) == engine_user
        && !ending_of(state, rules);
}

std::optional<Ending> ending_of(const GameState& state, const Rules& rules) {
    const auto outcome = state.game.outcome();
    if (outcome == Outcome::checkmate)
        return Ending{EndReason::checkmate, ~state.game.position().side_to_move()};
    if (outcome == Outcome::stalemate)
        return Ending{EndReason::stalemate, std::nullopt};
    if (state.resigned)
        return Ending{EndReason::resignation, ~*state.resigned};
    if (outcome == Outcome::insufficient_material)
        return Ending{EndReason::insufficient_material, std::nullopt};
    const auto draw = drawn_position(state.game);
    if (draw && (state.draw_claimed || rules.draws_stop_play || has_engine(state)))
        return Ending{*draw, std::nullopt};
    if (const auto forced = forced_draw(state.game))
        return Ending{*forced, std::nullopt};
    return std::nullopt;
}

std::optional<EndReason> claimable_draw(const GameState& state, const Rules& rules) {
    if (ending_of(state, rules))
        return std::nullopt;
    return drawn_position(state.game);
}

}  // namespace uci::chezz
