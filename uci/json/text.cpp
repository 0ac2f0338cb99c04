#include "uci/json/text.hpp"

#include "uci/json/values.hpp"

namespace uci::json {

namespace {

Json events_in(const core::Position& position, const Events& events, Spelling spelling) {
    Json json = Json::object();
    if (events.capture)
        json["capture"] = name(*events.capture);
    if (events.capture && events.en_passant) {
        json["en_passant_capture"] = name(*events.capture);
        if (spelling == Spelling::also_misspelt)
            json["en_passant_catpure"] = name(*events.capture);
    }
    if (events.promotion) {
        json["promote"]["space"] = name(events.promotion->square);
        json["promote"]["piece"] = core::name(events.promotion->piece);
    }
    if (events.rook_move)
        json["also_move_rook"] = from_to(events.rook_move->from, events.rook_move->to);
    if (position.in_check())
        json["check"] = check_in(position);
    return json;
}

std::string thought(std::string_view type, core::Move move, engine::Score score) {
    Json json = message(type);
    json["from"] = name(move.from());
    json["to"] = name(target_of(move));
    if (move.is_promotion())
        json["piece_choice"] = core::name(move.promoted_to());
    json["score"] = score_in(score);
    return json.dump();
}

}  // namespace

Events events_of(const core::Position& position, core::Move move) {
    Events events;
    const auto effect = position.effect_of(move);
    if (move.kind() == core::Move::Kind::castling)
        events.rook_move = {effect.leaves()[1].square, effect.arrives()[1].square};
    else if (effect.leaves().size() == 2)
        events.capture = effect.leaves()[1].square;
    events.en_passant = move.kind() == core::Move::Kind::en_passant;
    if (move.is_promotion())
        events.promotion = {move.to(), move.promoted_to()};
    return events;
}

std::string next_legal_moveset(const core::Position& position,
                               const Events& events,
                               bool is_over,
                               Spelling spelling) {
    Json json = message("next_legal_moveset");
    json["moves"] = is_over ? Json::object() : moves_in(position);
    json["events"] = events_in(position, events, spelling);
    return json.dump();
}

std::string promotion_prompt() {
    return message("promotion_prompt").dump();
}

std::string game_end(const Ending& ending) {
    Json json = message("game_end");
    json["victor"] = ending.victor ? small_name(*ending.victor) : "draw";
    json["reason"] = ending.reason;
    return json.dump();
}

std::string failure() {
    Json json = message("failure");
    json["message"] = "failure: illegal move, please retry";
    return json.dump();
}

std::string engine_move(core::Move move, engine::Score score) {
    return thought("engine_move", move, score);
}

std::string hint(core::Move move, engine::Score score) {
    return thought("hint", move, score);
}

}  // namespace uci::json
