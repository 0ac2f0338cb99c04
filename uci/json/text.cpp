#include "uci/json/text.hpp"

#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/movegen.hpp"

namespace uci::json {

namespace {

// Members stay in the order in which they are set.
using Json = nlohmann::ordered_json;

Json message(std::string_view type) {
    Json json = Json::object();
    json["message_type"] = type;
    return json;
}

std::string name(core::Square square) {
    return {static_cast<char>('A' + square.file()), static_cast<char>('1' + square.rank())};
}

std::string_view small_name(core::Color color) {
    return color == core::Color::white ? "white" : "black";
}

/// The squares of a set, sorted by name: A1, A2 ... H8.
std::vector<core::Square> by_name(core::Bitboard set) {
    std::vector<core::Square> squares;
    for (int file = 0; file < 8; ++file) {
        for (const core::Square square : set& core::Bitboard::file(file))
            squares.push_back(square);
    }
    return squares;
}

Json names(core::Bitboard set) {
    Json json = Json::array();
    for (const core::Square square : by_name(set))
        json.push_back(name(square));
    return json;
}

Json moves_in(const core::Position& position) {
    std::array<core::Bitboard, core::Square::count> targets{};
    for (const core::Move move : core::legal_moves(position))
        targets[index_of(move.from())] |= core::Bitboard{target_of(move)};
    Json json = Json::object();
    for (const core::Square from : by_name(position.pieces(position.side_to_move()))) {
        if (const auto set = targets[index_of(from)])
            json[name(from)] = names(set);
    }
    return json;
}

Json check_in(const core::Position& position) {
    Json json = Json::object();
    json["in_check"] = small_name(position.side_to_move());
    json["threats"] = names(position.checkers());
    json["king_space"] = name(position.king(position.side_to_move()));
    return json;
}

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
    if (events.rook_move) {
        json["also_move_rook"]["from"] = name(events.rook_move->from);
        json["also_move_rook"]["to"] = name(events.rook_move->to);
    }
    if (position.in_check())
        json["check"] = check_in(position);
    return json;
}

Json score_in(engine::Score score) {
    Json json = Json::object();
    if (!engine::is_decisive(score)) {
        json["centipawns"] = score;
        return json;
    }
    const int moves = (engine::plies_to_mate(score) + 1) / 2;
    json["mate_in"] = score > 0 ? moves : -moves;
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

core::Square target_of(core::Move move) {
    if (move.kind() != core::Move::Kind::castling)
        return move.to();
    const auto player = move.from().rank() == 0 ? core::Color::white : core::Color::black;
    return core::castled_king(player, core::side_of_castling(move));
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
