#include "uci/mcp/tools.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/result.hpp"
#include "core/text.hpp"

#include "engine/analysis/review/annotate.hpp"
#include "engine/analysis/review/game_review.hpp"
#include "engine/analysis/review/winning_chance.hpp"

#include "uci/mcp/describe.hpp"
#include "uci/mcp/explain_tool.hpp"
#include "uci/mcp/position_argument.hpp"

namespace uci::mcp {

namespace {

using core::Error;
using core::Result;

constexpr double max_seconds = 10;
constexpr int max_lines = 5;
constexpr std::int64_t max_nodes = 100'000;
constexpr std::size_t max_pv_plies = 12;

ToolResult failed(std::string reason) {
    return {std::move(reason), {}, true};
}

/// What a number may be.
struct Range {
    double least = 0;
    double most = 0;
    double fallback = 0;
    bool whole = true;
};

constexpr Range seconds_range{0.01, max_seconds, 1, false};
constexpr Range lines_range{1, max_lines, 1};
constexpr Range nodes_range{1'000, static_cast<double>(max_nodes), 20'000};

Result<double> number(const Json& arguments, const char* name, const Range& range) {
    const auto found = arguments.find(name);
    if (found == arguments.end())
        return range.fallback;
    const auto value = found->is_number() ? found->get<double>() : std::nan("");
    // Written so that a NaN is refused too.
    if (!(value >= range.least && value <= range.most)
        || (range.whole && value != std::floor(value)))
        return Error{fmt::format("{} must be a {} from {} to {}", name,
                                 range.whole ? "whole number" : "number", range.least, range.most)};
    return value;
}

Json number_property(const Range& range, std::string_view description) {
    Json json{{"type", range.whole ? "integer" : "number"}, {"description", description}};
    const auto set = [&](const char* key, double value) {
        if (range.whole)
            json[key] = static_cast<std::int64_t>(value);
        else
            json[key] = value;
    };
    set("minimum", range.least);
    set("maximum", range.most);
    set("default", range.fallback);
    return json;
}

Json with(Json properties, const char* name, Json property) {
    properties[name] = std::move(property);
    return properties;
}

std::vector<core::Move> first_plies(const std::vector<core::Move>& pv) {
    return {pv.begin(),
            pv.begin() + static_cast<std::ptrdiff_t>(std::min(pv.size(), max_pv_plies))};
}

// board

Json board_output() {
    auto schema = schema_of_position();
    schema["properties"]["board"] = {{"type", "string"}};
    schema["properties"]["moves"] = schema_of_moves();
    return schema;
}

ToolResult board(const Json& arguments, Analyser& /*analyser*/, const Progress& /*progress*/) {
    const auto game = game_of(arguments);
    if (!game)
        return failed(game.reason());
    auto json = json_of(*game);
    json["board"] = ascii_board(game->position());
    json["moves"] = json_of_moves(game->start(), game->moves());
    return {text_of(*game), std::move(json)};
}

// legal_moves

Json legal_moves_input() {
    return with(position_properties(), "square",
                {{"type", "string"},
                 {"description", "Only the moves of the piece on this square, such as \"e2\""}});
}

Json legal_moves_output() {
    auto schema = schema_of_position();
    schema["properties"]["legal_moves"] = schema_of_moves();
    schema["required"].push_back("legal_moves");
    return schema;
}

/// The square whose moves are asked for; nothing inside for all.
Result<std::optional<core::Square>> square_of(const Json& arguments) {
    const auto found = arguments.find("square");
    if (found == arguments.end())
        return std::optional<core::Square>{};
    const auto square = found->is_string()
                          ? core::Square::read(found->get_ref<const std::string&>())
                          : std::nullopt;
    if (!square)
        return Error{"square must be a square, such as \"e2\""};
    return square;
}

ToolResult legal_moves(const Json& arguments,
                       Analyser& /*analyser*/,
                       const Progress& /*progress*/) {
    const auto game = game_of(arguments);
    if (!game)
        return failed(game.reason());
    const auto square = square_of(arguments);
    if (!square)
        return failed(square.reason());
    auto json = json_of(*game);
    json["legal_moves"] = Json::array();
    std::vector<std::string> sans;
    const auto& position = game->position();
    for (const auto move : core::legal_moves(position)) {
        if (*square && move.from() != **square)
            continue;
        json["legal_moves"].push_back(json_of_moves(position, {move}).front());
        sans.push_back(core::san(position, move));
    }
    auto text = text_of(*game);
    text += sans.empty() ? std::string{"No legal moves.\n"}
                         : fmt::format("{} legal moves: {}\n", sans.size(), fmt::join(sans, " "));
    return {std::move(text), std::move(json)};
}

// play

Json play_input() {
    return with(position_properties(), "move",
                {{"type", "string"}, {"description", "The move to play: SAN or coordinates"}});
}

Json play_output() {
    auto schema = board_output();
    schema["properties"]["san"] = {{"type", "string"}};
    schema["properties"]["uci"] = {{"type", "string"}};
    schema["required"].push_back("san");
    schema["required"].push_back("uci");
    return schema;
}

ToolResult play(const Json& arguments, Analyser& /*analyser*/, const Progress& /*progress*/) {
    const auto before = game_of(arguments);
    if (!before)
        return failed(before.reason());
    const auto text = arguments.find("move");
    if (text == arguments.end() || !text->is_string())
        return failed("give the move to play as text: move, such as \"Nf3\"");
    auto game = *before;
    const auto move = legal_move(game.position(), text->get_ref<const std::string&>());
    if (!move)
        return failed(move.reason());
    const auto line = json_of_moves(game.position(), {*move}).front();
    game.play(*move);
    auto json = json_of(game);
    json["san"] = line["san"];
    json["uci"] = line["uci"];
    json["board"] = ascii_board(game.position());
    return {
        fmt::format("{} is legal. After it:\n{}", line["san"].get<std::string>(), text_of(game)),
        std::move(json)};
}

// analyse

Json analyse_input() {
    return with(
        with(position_properties(), "seconds", number_property(seconds_range, "How long to think")),
        "lines", number_property(lines_range, "How many of the best moves to show"));
}

Json analyse_output() {
    auto schema = schema_of_position();
    auto line = score_properties();
    line["depth"] = {{"type", "integer"}};
    line["moves"] = schema_of_moves();
    schema["properties"]["lines"] = {
        {"type", "array"},
        {"items", object_schema(std::move(line), {"white_winning_chance", "depth", "moves"})}};
    schema["required"].push_back("lines");
    return schema;
}

ToolResult analyse(const Json& arguments, Analyser& analyser, const Progress& progress) {
    const auto game = game_of(arguments);
    const auto seconds = number(arguments, "seconds", seconds_range);
    const auto lines = number(arguments, "lines", lines_range);
    for (const auto* reason :
         {game ? nullptr : &game.reason(), seconds ? nullptr : &seconds.reason(),
          lines ? nullptr : &lines.reason()}) {
        if (reason != nullptr)
            return failed(*reason);
    }
    auto json = json_of(*game);
    json["lines"] = Json::array();
    auto text = text_of(*game);
    if (game->outcome() != core::Outcome::open)
        return {std::move(text), std::move(json)};
    const auto& position = game->position();
    const auto legal = core::legal_moves(position);
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(*lines), legal.size());
    const auto time = std::chrono::duration<double>{*seconds};
    const auto found =
        analyser.analyse(*game, std::chrono::duration_cast<engine::Milliseconds>(time),
                         static_cast<int>(count), progress);
    if (found.empty())
        return failed("the analysis was interrupted");
    for (const auto& pv : found) {
        const auto score = position.side_to_move() == core::Color::white ? pv.score : -pv.score;
        const auto moves = first_plies(pv.moves);
        auto one = json_of_score(score);
        one["depth"] = pv.depth;
        one["moves"] = json_of_moves(position, moves);
        json["lines"].push_back(std::move(one));
        text += fmt::format("{}, depth {}: {}\n", text_of_score(score), pv.depth,
                            numbered_moves(position, moves));
    }
    return {std::move(text), std::move(json)};
}

// review_game

Json review_game_input() {
    return with(position_properties(), "nodes",
                number_property(nodes_range, "How many nodes to search for each position"));
}

Json review_game_output() {
    Json number{{"type", "number"}};
    Json text{{"type", "string"}};
    auto move = score_properties();
    move["number"] = {{"type", "integer"}};
    move["side"] = text;
    move["san"] = text;
    move["uci"] = text;
    move["fen"] = text;
    move["accuracy"] = number;
    move["judgement"] = {{"type", "string"},
                         {"enum", {"fine", "inaccuracy", "mistake", "blunder"}}};
    move["better"] = schema_of_moves();
    return object_schema(
        {{"opening", object_schema({{"eco", text}, {"name", text}}, {"eco", "name"})},
         {"white_accuracy", number},
         {"black_accuracy", number},
         {"moves",
          {{"type", "array"},
           {"items",
            object_schema(std::move(move), {"number", "side", "san", "fen", "judgement"})}}}},
        {"moves"});
}

double rounded(double value) {
    return std::round(value * 10) / 10;
}

Json json_of_move(const engine::review::MoveReview& move, const core::Position& before) {
    auto json = json_of_moves(before, {*move.move}).front();
    json["number"] = before.fullmove_number();
    json["side"] = before.side_to_move() == core::Color::white ? "white" : "black";
    json.update(json_of_score(move.after.score));
    json["accuracy"] = rounded(move.accuracy);
    json["judgement"] = engine::review::name(move.judgement);
    if (move.judgement != engine::review::Judgement::fine)
        json["better"] = json_of_moves(before, first_plies(move.before.pv));
    return json;
}

std::string text_of_move(const engine::review::MoveReview& move, const core::Position& before) {
    return fmt::format("{}: {}, from {} to {}. Better: {}\n", numbered_moves(before, {*move.move}),
                       engine::review::name(move.judgement), text_of_score(move.before.score),
                       text_of_score(move.after.score),
                       numbered_moves(before, first_plies(move.before.pv)));
}

ToolResult result_of(const std::vector<core::Game>& positions,
                     const engine::review::GameReview& review) {
    Json json = Json::object();
    std::string text;
    if (review.opening) {
        json["opening"] = {{"eco", review.opening->eco}, {"name", review.opening->name}};
        text += fmt::format("Opening: {} {}\n", review.opening->eco, review.opening->name);
    }
    const auto& game = positions.back();
    text += fmt::format("Moves: {}\n", numbered_moves(game.start(), game.moves()));
    constexpr std::array sides{"white", "black"};
    for (std::size_t color = 0; color < 2; ++color) {
        if (!review.accuracy[color])
            continue;
        json[std::string{sides[color]} + "_accuracy"] = rounded(*review.accuracy[color]);
        text += fmt::format("Accuracy of {}: {:.1f} %\n", sides[color], *review.accuracy[color]);
    }
    json["moves"] = Json::array();
    int marked = 0;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        const auto& before = positions[i].position();
        json["moves"].push_back(json_of_move(review.moves[i], before));
        if (review.moves[i].judgement == engine::review::Judgement::fine)
            continue;
        text += text_of_move(review.moves[i], before);
        ++marked;
    }
    if (marked == 0)
        text += "No inaccuracies, mistakes or blunders.\n";
    return {std::move(text), std::move(json)};
}

ToolResult review_game(const Json& arguments, Analyser& analyser, const Progress& progress) {
    const auto game = game_of(arguments);
    if (!game)
        return failed(game.reason());
    const auto nodes = number(arguments, "nodes", nodes_range);
    if (!nodes)
        return failed(nodes.reason());
    if (game->moves().empty())
        return failed("the game has no moves: give moves or pgn");
    std::vector<core::Game> positions{core::Game{game->start()}};
    for (const auto move : game->moves()) {
        auto next = positions.back();
        next.play(move);
        positions.push_back(std::move(next));
    }
    const auto reviews = analyser.review(positions, static_cast<std::uint64_t>(*nodes), progress);
    if (!reviews)
        return failed("the review was interrupted");
    return result_of(positions, engine::review::review_of(positions, *reviews));
}

constexpr std::array tools{
    Tool{"analyse", "Analyse a position",
         "Thinks about a position: the best moves with scores, White's winning chance, and the FEN "
         "after each move of the line. Scores in pawns are for White.",
         analyse_input, analyse_output, analyse},
    Tool{"play", "Play a move",
         "Checks whether a move is legal and plays it: SAN, FEN and board after it. If it is not "
         "legal, the legal moves of that piece are listed.",
         play_input, play_output, play},
    Tool{"legal_moves", "List legal moves",
         "All legal moves of a position, or those of one piece, with the FEN after each.",
         legal_moves_input, legal_moves_output, legal_moves},
    Tool{"review_game", "Review a game",
         "Judges each move of a game: accuracy, inaccuracies, mistakes and blunders with better "
         "lines, and the name of the opening. A long game takes some seconds.",
         review_game_input, review_game_output, review_game},
    Tool{"explain", "Explain a move",
         "Why a move is good or bad, in words: what it wins, loses, misses or prevents, proved "
         "against every answer on the board, and the chances to win in percent. Where nothing can "
         "be "
         "proved, only the better move is named. Takes up to two seconds.",
         explain_input, explain_output, explain, false},
    Tool{"board", "Show the board",
         "The position after some moves: board, FEN, side to move, check, and whether the game is "
         "over.",
         position_properties, board_output, board},
};

}  // namespace

std::span<const Tool> all_tools() {
    return tools;
}

const Tool* find_tool(std::string_view name) {
    const auto* const found = std::find_if(tools.begin(), tools.end(),
                                           [&](const Tool& tool) { return tool.name == name; });
    return found == tools.end() ? nullptr : found;
}

Json description_of(const Tool& tool) {
    Json input{{"type", "object"},
               {"properties", tool.input_properties()},
               {"additionalProperties", false}};
    if (tool.needs_move && tool.input_properties().contains("move"))
        input["required"] = {"move"};
    return {{"name", tool.name},
            {"title", tool.title},
            {"description", tool.description},
            {"inputSchema", std::move(input)},
            {"outputSchema", tool.output_schema()},
            {"annotations",
             {{"title", tool.title},
              {"readOnlyHint", true},
              {"destructiveHint", false},
              {"idempotentHint", true},
              {"openWorldHint", false}}}};
}

ToolResult run_tool(const Tool& tool,
                    const Json& arguments,
                    Analyser& analyser,
                    const Progress& progress) {
    const auto properties = tool.input_properties();
    for (const auto& [name, value] : arguments.items()) {
        if (properties.contains(name))
            continue;
        std::vector<std::string> known;
        for (const auto& [property, schema] : properties.items())
            known.push_back(property);
        return failed(fmt::format("{} has no argument {}; it has {}", tool.name, core::quoted(name),
                                  fmt::join(known, ", ")));
    }
    return tool.run(arguments, analyser, progress);
}

}  // namespace uci::mcp
