#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/game.hpp"

#include "uci/chezz/codec/decode.hpp"
#include "uci/chezz/codec/encode.hpp"
#include "uci/chezz/notation.hpp"
#include "uci/util/hex.hpp"

#include "tests/engine/random_positions.hpp"
#include "tests/test_data.hpp"

namespace tests {

/// A game played out by chezz-back, and what it looked like there.
struct GoldenGame {
    std::string name;
    std::vector<std::string> moves;
    std::string fen;
    std::map<uci::chezz::codec::StateFormat, std::string> hex;
    nlohmann::json messages;  ///< the WebSocket message of each ply, where they are known
};

inline GoldenGame read_golden(const std::string& line) {
    using uci::chezz::codec::StateFormat;
    const auto json = nlohmann::json::parse(line);
    GoldenGame game{
        json["name"], json["moves"], json["fen"], {}, json.value("ws", nlohmann::json{})};
    game.hex[StateFormat::front_end] = json["front_hex"];
    game.hex[StateFormat::server] = json["correct_hex"];
    if (json.contains("state_hex"))
        game.hex[StateFormat::server_with_capture_bug] = json["state_hex"];
    return game;
}

/// All golden games; the test fails when they are not there.
inline std::vector<GoldenGame> golden_games() {
    std::vector<GoldenGame> games;
    for (const auto* name : {"golden.jsonl", "correct_golden.jsonl"}) {
        std::ifstream file{tests::data_path("chezz/" + std::string{name})};
        std::string line;
        while (std::getline(file, line))
            games.push_back(read_golden(line));
    }
    REQUIRE(games.size() == 68);
    return games;
}

/// The game of moves in chezz's words; the test fails when one is not legal.
inline core::Game chezz_game(const std::vector<std::string>& moves) {
    core::Game game;
    for (const auto& text : moves) {
        const auto move = uci::chezz::read_move_text(game.position(), text);
        INFO(text);
        REQUIRE(move);
        game.play(*move);
    }
    return game;
}

inline uci::chezz::codec::Bytes bytes_of(
    const core::Game& game,
    uci::chezz::codec::StateFormat form = uci::chezz::codec::StateFormat::front_end) {
    auto bytes = uci::chezz::codec::encode(game, form);
    REQUIRE(bytes);
    return *bytes;
}

/// A game of so many random moves from the start, rich in captures, castling and promotions.
inline core::Game random_chezz_game(Dice& dice, int plies) {
    core::Game game;
    for (int ply = 0; ply < plies; ++ply) {
        const auto moves = core::legal_moves(game.position());
        if (moves.empty())
            break;
        core::MoveList rare;
        for (const core::Move move : moves) {
            if (move.kind() != core::Move::Kind::normal)
                rare.add(move);
        }
        game.play(dice.pick(!rare.empty() && dice.one_in(2) ? rare : moves));
    }
    return game;
}

}  // namespace tests
