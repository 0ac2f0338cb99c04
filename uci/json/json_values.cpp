#include "uci/json/json_values.hpp"

#include <array>
#include <vector>

#include "core/castling.hpp"
#include "core/movegen.hpp"

namespace uci::json {

namespace {

/// The squares of a set, sorted by name: A1, A2 ... H8.
std::vector<core::Square> sorted_by_name(core::Bitboard set) {
    std::vector<core::Square> squares;
    for (int file = 0; file < 8; ++file) {
        for (const core::Square square : set& core::Bitboard::file(file))
            squares.push_back(square);
    }
    return squares;
}

}  // namespace

Json message_json(std::string_view type) {
    Json json = Json::object();
    json["message_type"] = type;
    return json;
}

std::string square_name(core::Square square) {
    return {static_cast<char>('A' + square.file()), static_cast<char>('1' + square.rank())};
}

std::string_view color_name(core::Color color) {
    return color == core::Color::white ? "white" : "black";
}

Json squares_json(core::Bitboard set) {
    Json json = Json::array();
    for (const core::Square square : sorted_by_name(set))
        json.push_back(square_name(square));
    return json;
}

Json legal_moves_json(const core::Position& position) {
    std::array<core::Bitboard, core::Square::count> targets{};
    for (const core::Move move : core::legal_moves(position))
        targets[index_of(move.from())] |= core::Bitboard{core::move_target(move)};
    Json json = Json::object();
    for (const core::Square from : sorted_by_name(position.pieces(position.side_to_move()))) {
        if (const auto set = targets[index_of(from)])
            json[square_name(from)] = squares_json(set);
    }
    return json;
}

Json check_json(const core::Position& position) {
    Json json = Json::object();
    json["in_check"] = color_name(position.side_to_move());
    json["threats"] = squares_json(position.checkers());
    json["king_space"] = square_name(position.king(position.side_to_move()));
    return json;
}

Json move_json(core::Square from, core::Square to) {
    Json json = Json::object();
    json["from"] = square_name(from);
    json["to"] = square_name(to);
    return json;
}

Json score_json(engine::Score score) {
    Json json = Json::object();
    if (!engine::is_mate(score)) {
        json["centipawns"] = engine::centipawns(score);
        return json;
    }
    const int moves = (engine::plies_to_mate(score) + 1) / 2;
    json["mate_in"] = score > 0 ? moves : -moves;
    return json;
}

void add_clock(Json& json, const GameClock& clock, GameClock::Time now) {
    for (const core::Color player : {core::Color::white, core::Color::black})
        json[std::string{color_name(player)} + "_time"] = clock.left(player, now).count();
    for (const core::Color player : {core::Color::white, core::Color::black})
        json[std::string{color_name(player)} + "_increment"] =
            clock.control()[index_of(player)].increment.count();
    if (const auto player = clock.running())
        json["runs"] = color_name(*player);
}

}  // namespace uci::json
