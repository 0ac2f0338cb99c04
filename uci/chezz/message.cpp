#include "uci/chezz/message.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "uci/chezz/base64.hpp"
#include "uci/chezz/encode.hpp"
#include "uci/chezz/move_text.hpp"

namespace uci::chezz {

namespace {

using core::Color;
using core::Outcome;
// Keeps the keys in the order in which they were written down.
using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The same as Go writes it: also what means something in HTML is escaped.
std::string text_for_pages(const Json& json) {
    std::string text;
    for (const char letter : text_of(json)) {
        if (letter == '<' || letter == '>' || letter == '&')
            text += fmt::format("\\u{:04x}", static_cast<int>(letter));
        else
            text += letter;
    }
    return text;
}

/// Whether the front end is to believe in a stalemate.
bool looks_like_stalemate(const Table& table, const Rules& rules) {
    const auto ending = ending_of(table, rules);
    return ending
        && (ending->reason == EndReason::stalemate || (rules.draws_stop_play && !ending->winner));
}

std::string board_text(const Table& table, const Rules& rules) {
    auto bytes = *encode(table.game, Form::front_end);
    if (looks_like_stalemate(table, rules))
        bytes[status_at] = static_cast<std::uint8_t>(Status::stalemate);
    return base64(bytes);
}

int checked_player(const core::Position& position) {
    if (!position.in_check())
        return nobody_in_check;
    return position.side_to_move() == Color::white ? 0 : 1;
}

const char* mate_status(const Table& table, const Rules& rules) {
    if (table.game.outcome() == Outcome::checkmate)
        return "#";
    return looks_like_stalemate(table, rules) ? "-" : "";
}

/// The square of the pawn that a move takes en passant.
std::string en_passant_capture(const core::Position& before, core::Move move) {
    if (move.kind() != core::Move::Kind::en_passant)
        return "";
    return before.effect_of(move).left[1].square.name();
}

/// Plays a move and says what everyone is told about it.
std::string played(Table& table, const Rules& rules, core::Move move) {
    const auto before = table.game.position();
    table.game.play(move);
    return text_of({{"type", "move"},
                    {"uci", move_text(move)},
                    {"mateStatus", mate_status(table, rules)},
                    {"enPassantCapture", en_passant_capture(before, move)},
                    {"checkedPlayer", checked_player(table.game.position())}});
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

/// What there is to say about how the game stands, beyond its last move.
std::vector<std::string> standing(const Table& table, const Rules& rules) {
    const auto ending = ending_of(table, rules);
    if (ending && ending->reason != EndReason::checkmate && ending->reason != EndReason::stalemate)
        return {end_message(*ending)};
    if (const auto draw = claimable_draw(table, rules))
        return {claim_message(*draw)};
    return {};
}

std::string state_message(const Table& table, const Rules& rules) {
    return text_of({{"type", "state"}, {"board", board_text(table, rules)}});
}

bool continues(const core::Game& before, const core::Game& after) {
    return before.moves().size() <= after.moves().size()
        && std::equal(before.moves().begin(), before.moves().end(), after.moves().begin());
}

}  // namespace

std::vector<std::string> welcome_messages(const Table& table,
                                          const Rules& rules,
                                          UserId user,
                                          std::optional<std::size_t> plies_seen) {
    std::vector<std::string> messages{
        text_of({{"type", "init"}, {"relation", name(relation_of(table, user))}})};
    const auto plies = table.game.moves().size();
    Table seen = table;
    seen.game.undo(static_cast<int>(plies - std::min(plies, plies_seen.value_or(plies))));
    const auto missed = news(seen, table, rules);
    messages.insert(messages.end(), missed.begin(), missed.end());
    if (plies > 0 && !plies_seen)
        messages.push_back(state_message(table, rules));
    if (missed.empty()) {
        const auto now = standing(table, rules);
        messages.insert(messages.end(), now.begin(), now.end());
    }
    return messages;
}

std::string error_message(const Refusal& refusal) {
    return text_of({{"type", "error"}, {"error", refusal.text}, {"code", refusal.code}});
}

std::vector<std::string> news(const Table& before, const Table& after, const Rules& rules) {
    if (!continues(before.game, after.game))
        return {state_message(after, rules)};
    std::vector<std::string> messages;
    const auto& moves = after.game.moves();
    Table table = before;
    for (auto i = before.game.moves().size(); i < moves.size(); ++i)
        messages.push_back(played(table, rules, moves[i]));
    const auto now = standing(after, rules);
    if (!messages.empty() || now != standing(before, rules))
        messages.insert(messages.end(), now.begin(), now.end());
    return messages;
}

std::string game_body(const Table& table, const Rules& rules, Relation relation) {
    const auto player = [&](Color color) {
        const auto& user = table.seat(color);
        return user ? std::to_string(number(*user)) : "0";
    };
    return text_of({{"relation", name(relation)},
                    {"blackPlayer", player(Color::black)},
                    {"whitePlayer", player(Color::white)},
                    {"gameId", std::to_string(number(table.id))},
                    {"board", board_text(table, rules)}});
}

std::string created_body(GameId id) {
    return text_of({{"message", "Game created"}, {"game_id", std::to_string(number(id))}});
}

std::string unknown_game_body(std::string_view id) {
    return error_body(fmt::format("Game with id '{}' was not found or could not be recovered.", id),
                      404);
}

std::string error_body(std::string_view message, int status) {
    return text_for_pages({{"message", message}, {"code", status}});
}

}  // namespace uci::chezz
