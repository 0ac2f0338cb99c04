#include "uci/json/response.hpp"

#include "core/castling.hpp"

#include "engine/analysis/explain/wording.hpp"

#include "uci/json/json_values.hpp"

namespace uci::json {

namespace {

Json events_json(const core::Position& position, const Events& events, Spelling spelling) {
    Json json = Json::object();
    if (events.capture)
        json["capture"] = square_name(*events.capture);
    if (events.capture && events.en_passant) {
        json["en_passant_capture"] = square_name(*events.capture);
        if (spelling == Spelling::also_misspelt)
            json["en_passant_catpure"] = square_name(*events.capture);
    }
    if (events.promotion) {
        json["promote"]["space"] = square_name(events.promotion->square);
        json["promote"]["piece"] = core::name(events.promotion->piece);
    }
    if (events.rook_move)
        json["also_move_rook"] = move_json(events.rook_move->from, events.rook_move->to);
    if (position.in_check())
        json["check"] = check_json(position);
    return json;
}

/// Adds a move to an object: "from", "to" and, for a promotion, "piece_choice".
void add_move(Json& json, core::Move move) {
    json["from"] = square_name(move.from());
    json["to"] = square_name(core::move_target(move));
    if (move.is_promotion())
        json["piece_choice"] = core::name(move.promoted_to());
}

/// The result and the distance of a position or of a move; the distance is null without a table.
void add_tablebase_values(Json& json,
                          std::string_view result_name,
                          engine::tablebase::WdlScore result,
                          const std::optional<int>& dtz) {
    json[std::string{result_name}] = engine::tablebase::name(result);
    json["dtz"] = dtz ? Json(*dtz) : Json(nullptr);
}

std::string best_move_message(std::string_view type, core::Move move, engine::Score score) {
    Json json = message_json(type);
    add_move(json, move);
    json["score"] = score_json(score);
    return json.dump();
}

}  // namespace

Events events_of(const core::Position& position, core::Move move) {
    Events events;
    const auto effect = position.dirty_pieces(move);
    if (move.kind() == core::Move::Kind::castling)
        events.rook_move = {effect.removed_pieces()[1].square, effect.added_pieces()[1].square};
    else if (effect.removed_pieces().size() == 2)
        events.capture = effect.removed_pieces()[1].square;
    events.en_passant = move.kind() == core::Move::Kind::en_passant;
    if (move.is_promotion())
        events.promotion = {move.to(), move.promoted_to()};
    return events;
}

std::string next_legal_moveset(const core::Position& position,
                               const Events& events,
                               bool is_over,
                               Spelling spelling) {
    Json json = message_json("next_legal_moveset");
    json["moves"] = is_over ? Json::object() : legal_moves_json(position);
    json["events"] = events_json(position, events, spelling);
    return json.dump();
}

std::string promotion_prompt() {
    return message_json("promotion_prompt").dump();
}

std::string game_end(const Ending& ending) {
    Json json = message_json("game_end");
    json["victor"] = ending.victor ? color_name(*ending.victor) : "draw";
    json["reason"] = ending.reason;
    return json.dump();
}

std::string clock_message(const GameClock& clock, GameClock::Time now) {
    Json json = message_json("clock");
    add_clock(json, clock, now);
    return json.dump();
}

std::string failure() {
    return failure("illegal move, please retry");
}

std::string failure(std::string_view reason) {
    Json json = message_json("failure");
    json["message"] = "failure: " + std::string{reason};
    return json.dump();
}

std::string engine_move(core::Move move, engine::Score score) {
    return best_move_message("engine_move", move, score);
}

std::string hint(core::Move move, engine::Score score) {
    return best_move_message("hint", move, score);
}

std::string explanation(const core::Position& position,
                        const engine::explain::Explanation& explained,
                        engine::explain::Language language) {
    using engine::explain::percent;
    const auto words = words_of(explained, position, language);
    Json json = message_json("explanation");
    add_move(json, explained.move);
    json["verdict"] = name(explained.verdict);
    json["chance"] = percent(explained.score_of_move);
    if (explained.better != explained.move) {
        add_move(json["better"], explained.better);
        json["better"]["chance"] = percent(explained.score_of_better);
    }
    json["sentences"] = words.sentences;
    if (!words.pv.empty())
        json["line"] = words.pv;
    return json.dump();
}

std::string tablebase(const engine::tablebase::PositionReport& report) {
    Json json = message_json("tablebase");
    add_tablebase_values(json, "wdl", report.wdl, report.dtz);
    json["moves"] = Json::array();
    for (const auto& ranked : report.moves) {
        Json move = Json::object();
        add_move(move, ranked.move);
        add_tablebase_values(move, "result", ranked.outcome, ranked.dtz);
        json["moves"].push_back(std::move(move));
    }
    return json.dump();
}

}  // namespace uci::json
