#include "uci/chezz/messages.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "uci/chezz/codec/encode.hpp"
#include "uci/chezz/notation.hpp"
#include "uci/util/base64.hpp"

namespace uci::chezz {

namespace {

using core::Color;
using core::Outcome;
// Ordered: chezz-back's messages have a fixed order of keys.
using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Writes JSON as Go's encoder does, which also escapes HTML's special characters.
std::string text_escaped_for_html(const Json& json) {
    std::string text;
    for (const char c : text_of(json)) {
        if (c == '<' || c == '>' || c == '&')
            text += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
            text += c;
    }
    return text;
}

/// Whether the front end is shown a stalemate.
bool looks_like_stalemate(const GameState& state, const Rules& rules) {
    const auto ending = ending_of(state, rules);
    return ending
        && (ending->reason == EndReason::stalemate || (rules.draws_stop_play && !ending->winner));
}

std::string board_text(const GameState& state, const Rules& rules) {
    auto bytes = *codec::encode(state.game, codec::StateFormat::front_end);
    if (looks_like_stalemate(state, rules))
        bytes[codec::status_at] = static_cast<std::uint8_t>(codec::Status::stalemate);
    return util::base64(bytes);
}

int checked_player(const core::Position& position) {
    if (!position.in_check())
        return codec::nobody_in_check;
    return position.side_to_move() == Color::white ? 0 : 1;
}

const char* mate_status(const GameState& state, const Rules& rules) {
    if (state.game.outcome() == Outcome::checkmate)
        return "#";
    return looks_like_stalemate(state, rules) ? "-" : "";
}

/// The square of the pawn that a move takes en passant.
std::string en_passant_capture(const core::Position& before, core::Move move) {
    if (move.kind() != core::Move::Kind::en_passant)
        return "";
    return before.dirty_pieces(move).removed[1].square.name();
}

/// Plays a move and returns its message.
std::string play_and_report(GameState& state, const Rules& rules, core::Move move) {
    const auto before = state.game.position();
    state.game.play(move);
    return text_of({{"type", "move"},
                    {"uci", move_text(move)},
                    {"mateStatus", mate_status(state, rules)},
                    {"enPassantCapture", en_passant_capture(before, move)},
                    {"checkedPlayer", checked_player(state.game.position())}});
}

std::string claim_message(EndReason reason) {
    return text_of({{"type", "draw"}, {"reason", name(reason)}, {"claimable", true}});
}

std::string end_message(const Ending& ending) {
    std::string result = "1/2-1/2";
    if (ending.winner)
        result = ending.winner == Color::white ? "1-0" : "0-1";
    return text_of({{"type", "end"}, {"result", result}, {"reason", name(ending.reason)}});
}

/// The messages about the end of the game or a claimable draw. A mate needs none: its move shows
/// it.
std::vector<std::string> status_messages(const GameState& state, const Rules& rules) {
    const auto ending = ending_of(state, rules);
    if (ending && ending->reason != EndReason::checkmate && ending->reason != EndReason::stalemate)
        return {end_message(*ending)};
    if (const auto draw = claimable_draw(state, rules))
        return {claim_message(*draw)};
    return {};
}

std::string state_message(const GameState& state, const Rules& rules) {
    return text_of({{"type", "state"}, {"board", board_text(state, rules)}});
}

bool continues(const core::Game& before, const core::Game& after) {
    return before.moves().size() <= after.moves().size()
        && std::equal(before.moves().begin(), before.moves().end(), after.moves().begin());
}

}  // namespace

std::vector<std::string> join_messages(const GameState& state,
                                       const Rules& rules,
                                       UserId user,
                                       std::optional<std::size_t> plies_seen) {
    std::vector<std::string> messages{
        text_of({{"type", "init"}, {"relation", name(relation_of(state, user))}})};
    const auto plies = state.game.moves().size();
    GameState seen = state;
    const auto unseen = plies - std::min(plies, plies_seen.value_or(plies));
    [[maybe_unused]] const bool undone = seen.game.undo(static_cast<int>(unseen));
    assert(undone);
    const auto missed = updates_since(seen, state, rules);
    messages.insert(messages.end(), missed.begin(), missed.end());
    if (plies > 0 && !plies_seen)
        messages.push_back(state_message(state, rules));
    if (missed.empty()) {
        const auto now = status_messages(state, rules);
        messages.insert(messages.end(), now.begin(), now.end());
    }
    return messages;
}

std::string error_message(const Rejection& rejection) {
    return text_of({{"type", "error"}, {"error", rejection.text}, {"code", rejection.code}});
}

std::vector<std::string> updates_since(const GameState& before,
                                       const GameState& after,
                                       const Rules& rules) {
    if (!continues(before.game, after.game))
        return {state_message(after, rules)};
    std::vector<std::string> messages;
    const auto& moves = after.game.moves();
    GameState state = before;
    for (auto i = before.game.moves().size(); i < moves.size(); ++i)
        messages.push_back(play_and_report(state, rules, moves[i]));
    const auto now = status_messages(after, rules);
    if (!messages.empty() || now != status_messages(before, rules))
        messages.insert(messages.end(), now.begin(), now.end());
    return messages;
}

std::string game_body(const GameState& state, const Rules& rules, Relation relation) {
    const auto player = [&](Color color) {
        const auto& user = state.seat(color);
        return user ? std::to_string(number(*user)) : "0";
    };
    return text_of({{"relation", name(relation)},
                    {"blackPlayer", player(Color::black)},
                    {"whitePlayer", player(Color::white)},
                    {"gameId", std::to_string(number(state.id))},
                    {"board", board_text(state, rules)}});
}

std::string created_body(GameId id) {
    return text_of({{"message", "Game created"}, {"game_id", std::to_string(number(id))}});
}

std::string unknown_game_body(std::string_view id) {
    return error_body(fmt::format("Game with id '{}' was not found or could not be recovered.", id),
                      404);
}

std::string error_body(std::string_view message, int status) {
    return text_escaped_for_html({{"message", message}, {"code", status}});
}

}  // namespace uci::chezz
