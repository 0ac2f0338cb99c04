#include "uci/json/values.hpp"

#include <array>
#include <vector>

#include "core/movegen.hpp"

namespace uci::json {

namespace {

/// The squares of a set, sorted by name: A1, A2 ... H8.
std::vector<core::Square> by_name(core::Bitboard set) {
    std::vector<core::Square> squares;
    for (int file = 0; file < 8; ++file) {
        for (const core::Square square : set& core::Bitboard::file(file))
            squares.push_back(square);
    }
    return squares;
}

}  // namespace

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

core::Square target_of(core::Move move) {
    if (move.kind() != core::Move::Kind::castling)
        return move.to();
    const auto player = move.from().rank() == 0 ? core::Color::white : core::Color::black;
    return core::castled_king(player, core::side_of_castling(move));
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

Json from_to(core::Square from, core::Square to) {
    Json json = Json::object();
    json["from"] = name(from);
    json["to"] = name(to);
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

}  // namespace uci::json
