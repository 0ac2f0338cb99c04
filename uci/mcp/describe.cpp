#include "uci/mcp/describe.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/pgn.hpp"

#include "engine/analysis/review/winning_chance.hpp"

namespace uci::mcp {

namespace {

std::string_view name_of(core::Outcome outcome) {
    constexpr std::array<std::string_view, 6> names{
        "open",       "checkmate", "stalemate", "insufficient material", "threefold repetition",
        "fifty moves"};
    return names[static_cast<std::size_t>(outcome)];
}

std::string_view side_to_move(const core::Position& position) {
    return position.side_to_move() == core::Color::white ? "white" : "black";
}

int mate_in_moves(engine::Score score) {
    const int moves = (engine::plies_to_mate(score) + 1) / 2;
    return score > 0 ? moves : -moves;
}

/// White's winning chance in percent, to a tenth.
double winning_chance(engine::Score score) {
    return std::round(500 + 500 * engine::review::winning_chance(score)) / 10;
}

Json typed(std::string_view type) {
    return {{"type", type}};
}

}  // namespace

std::string ascii_board(const core::Position& position) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        text += static_cast<char>('1' + rank);
        for (int file = 0; file < 8; ++file) {
            const auto piece = position.piece_on(core::Square{file + 8 * rank});
            text += ' ';
            text += piece ? piece->letter() : '.';
        }
        text += '\n';
    }
    return text + "  a b c d e f g h\n";
}

Json json_of(const core::Game& game) {
    const auto& position = game.position();
    Json json{{"fen", core::fen(position)},
              {"turn", side_to_move(position)},
              {"check", position.in_check()},
              {"outcome", name_of(game.outcome())}};
    if (game.outcome() != core::Outcome::open)
        json["result"] = core::result_of(game);
    return json;
}

std::string text_of(const core::Game& game) {
    const auto& position = game.position();
    auto text = ascii_board(position) + fmt::format("FEN: {}\n", core::fen(position));
    if (!game.moves().empty())
        text += fmt::format("Moves: {}\n", numbered_moves(game.start(), game.moves()));
    if (game.outcome() != core::Outcome::open)
        return text
             + fmt::format("The game is over: {}, {}.\n", name_of(game.outcome()),
                           core::result_of(game));
    return text
         + fmt::format("{} is to move{}.\n",
                       position.side_to_move() == core::Color::white ? "White" : "Black",
                       position.in_check() ? ", and in check" : "");
}

std::string numbered_moves(core::Position position, const std::vector<core::Move>& moves) {
    std::string text;
    for (const auto move : moves) {
        const bool white = position.side_to_move() == core::Color::white;
        if (!text.empty())
            text += ' ';
        if (white || text.empty())
            text += fmt::format("{}{} ", position.fullmove_number(), white ? "." : "...");
        text += core::san(position, move);
        position.play(move);
    }
    return text;
}

Json json_of_moves(core::Position position, const std::vector<core::Move>& moves) {
    auto line = Json::array();
    for (const auto move : moves) {
        Json step{{"san", core::san(position, move)},
                  {"uci", core::to_uci(move, core::CastlingStyle::king_moves_two)}};
        position.play(move);
        step["fen"] = core::fen(position);
        line.push_back(std::move(step));
    }
    return line;
}

Json json_of_score(engine::Score score) {
    Json json;
    if (engine::is_mate(score))
        json["mate"] = mate_in_moves(score);
    else
        json["pawns"] = engine::centipawns(score) / 100.0;
    json["white_winning_chance"] = winning_chance(score);
    return json;
}

std::string text_of_score(engine::Score score) {
    if (engine::is_mate(score))
        return fmt::format("{} mates in {}", score > 0 ? "White" : "Black",
                           std::abs(mate_in_moves(score)));
    return fmt::format("{:+.2f} (White wins {:.0f} %)", engine::centipawns(score) / 100.0,
                       winning_chance(score));
}

Json object_schema(Json properties, const std::vector<std::string>& required) {
    return {{"type", "object"}, {"properties", std::move(properties)}, {"required", required}};
}

Json schema_of_position() {
    return object_schema(
        {{"fen", typed("string")},
         {"turn", {{"type", "string"}, {"enum", {"white", "black"}}}},
         {"check", typed("boolean")},
         {"outcome", {{"type", "string"}, {"description", "open, or how the game ended"}}},
         {"result", typed("string")}},
        {"fen", "turn", "check", "outcome"});
}

Json schema_of_moves() {
    return {{"type", "array"},
            {"items", object_schema({{"san", typed("string")},
                                     {"uci", typed("string")},
                                     {"fen", {{"type", "string"}, {"description", "after it"}}}},
                                    {"san", "uci", "fen"})}};
}

Json score_properties() {
    return {
        {"pawns", {{"type", "number"}, {"description", "for White"}}},
        {"mate", {{"type", "integer"}, {"description", "moves to mate; negative: Black mates"}}},
        {"white_winning_chance", {{"type", "number"}, {"description", "percent"}}}};
}

}  // namespace uci::mcp
