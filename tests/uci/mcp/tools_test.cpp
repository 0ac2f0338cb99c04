#include "uci/mcp/tools.hpp"

#include "uci/mcp/position_argument.hpp"

#include "tests/catch.hpp"
#include "tests/uci/mcp/fake_analyser.hpp"

using namespace uci::mcp;
using Catch::Matchers::Contains;

namespace {

ToolResult call(std::string_view name, const Json& arguments) {
    const auto* const tool = find_tool(name);
    REQUIRE(tool != nullptr);
    tests::FakeAnalyser analyser;
    return run_tool(*tool, arguments, analyser, [](double, double, const std::string&) {});
}

/// What a failed call says.
std::string failure_of(std::string_view name, const Json& arguments) {
    const auto result = call(name, arguments);
    CHECK(result.is_error);
    return result.text;
}

constexpr const char* after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

}  // namespace

TEST_CASE("a position is given as moves, PGN or FEN", "[mcp]") {
    const auto arguments =
        GENERATE(Json{{"moves", "e4"}}, Json{{"moves", "1. e2e4"}}, Json{{"moves", {"e4"}}},
                 Json{{"moves", "1.e4"}}, Json{{"pgn", "[White \"A\"]\n\n1. e4 {good} *"}},
                 Json{{"fen", after_e4}});
    const auto result = call("board", arguments);
    CAPTURE(result.text);
    CHECK_FALSE(result.is_error);
    CHECK(result.structured.at("fen") == after_e4);
    CHECK(result.structured.at("turn") == "black");
    CHECK_THAT(result.text, Contains("4 . . . . P . . ."));
}

TEST_CASE("an illegal move is answered with the legal moves of that piece", "[mcp]") {
    const auto [arguments, expected] = GENERATE(table<Json, std::string>({
        {Json{{"moves", "e4 e5 Nf3 Nc6 Bb5 Nf3"}},
         "move 3...: 'Nf3' is not a legal move here. Black is to move; the knight on c6 can play "
         "Nb4, "
         "Nd4, Na5, Nce7, Nb8; the knight on g8 can play Nf6, Nh6, Nge7"},
        {Json{{"pgn", "1. e4 e5 2. Ra5 *"}},
         "pgn: move 2: 'Ra5' is not a legal move here. White is to move; the rook on a1 has no "
         "legal "
         "move"},
        {Json{{"moves", "e2e4 e7e6 e4e6"}}, "the pawn on e4 can play e5"},
        {Json{{"moves", "e2e4 e2e4"}}, "there is no piece on e2"},
        {Json{{"moves", "e4 e4e5"}}, "the pawn on e4 is White's"},
        {Json{{"moves", "O-O"}}, "the king on e1 has no legal move"},
        {Json{{"moves", "exd5"}}, "the pawn on e2 can play e3, e4"},
        {Json{{"moves", "castle"}}, "the pawn on c2 can play c3, c4"},
        {Json{{"moves", "?"}}, "the legal moves are "},
        {Json{{"fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, {"moves", "Kg8"}}, "the game is over"},
    }));
    CHECK_THAT(failure_of("board", arguments), Contains(expected));
}

TEST_CASE("arguments that are wrong are named", "[mcp]") {
    const auto [tool, arguments, expected] = GENERATE(table<std::string, Json, std::string>({
        {"board", Json{{"moves", 3}}, "moves must be text"},
        {"board", Json{{"moves", {"e4", 3}}}, "moves must be text"},
        {"board", Json{{"pgn", 3}}, "pgn must be text"},
        {"board", Json{{"pgn", "1. e4 {"}}, "a comment is not closed"},
        {"board", Json{{"fen", "bad"}}, "fen: "},
        {"board", Json{{"pgn", "1. e4"}, {"moves", "e4"}}, "either pgn, or moves"},
        {"board", Json{{"game", "e4"}}, "board has no argument 'game'; it has moves, pgn, fen"},
        {"legal_moves", Json{{"square", "i9"}}, "square must be a square"},
        {"play", Json::object(), "give the move to play"},
        {"analyse", Json{{"seconds", 11}}, "seconds must be a number from 0.01 to 10"},
        {"analyse", Json{{"lines", 1.5}}, "lines must be a whole number from 1 to 5"},
        {"analyse", Json{{"lines", "2"}}, "lines must be a whole number"},
        {"review_game", Json::object(), "the game has no moves"},
        {"review_game", Json{{"moves", "e4"}, {"nodes", 1}}, "nodes must be"},
        {"explain", Json{{"moves", "f3 e5 g4 Qh4#"}}, "the game is over: checkmate"},
        {"explain", Json{{"move", "e5"}}, "'e5' is not a legal move here"},
        {"explain", Json{{"move", 5}}, "move must be text"},
        {"explain", Json{{"language", "fr"}}, "language must be \"en\" or \"de\""},
    }));
    CHECK_THAT(failure_of(tool, arguments), Contains(expected));
}

TEST_CASE("a game that is too long is refused", "[mcp]") {
    std::string moves;
    for (std::size_t ply = 0; ply <= max_plies; ply += 4)
        moves += " Nf3 Nf6 Ng1 Ng8";
    CHECK_THAT(failure_of("board", {{"moves", moves}}), Contains("600 plies"));
}

TEST_CASE("play tells what the move leads to", "[mcp]") {
    const auto result = call("play", {{"moves", "f3 e5 g4"}, {"move", "d8h4"}});
    CHECK(result.structured.at("san") == "Qh4#");
    CHECK(result.structured.at("uci") == "d8h4");
    CHECK(result.structured.at("outcome") == "checkmate");
    CHECK(result.structured.at("result") == "0-1");
    CHECK_THAT(result.text,
               Contains("Qh4# is legal") && Contains("The game is over: checkmate, 0-1"));
}

TEST_CASE("legal moves are all, or those of a square", "[mcp]") {
    CHECK(call("legal_moves", Json::object()).structured.at("legal_moves").size() == 20);
    const auto knight = call("legal_moves", {{"square", "g1"}});
    CHECK(knight.structured.at("legal_moves").size() == 2);
    CHECK_THAT(knight.text, Contains("2 legal moves: Nf3 Nh3"));
    CHECK_THAT(call("legal_moves", {{"square", "e5"}}).text, Contains("No legal moves."));
}

TEST_CASE("an analysis has as many lines as there are, with scores for White", "[mcp]") {
    const auto result = call("analyse", {{"moves", "e4"}, {"lines", 3}});
    const auto& lines = result.structured.at("lines");
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].at("pawns") == -0.31);
    CHECK(lines[0].at("moves")[0].contains("fen"));
    CHECK_THAT(result.text, Contains("-0.31 (White wins 47 %), depth 5: 1... "));
    const auto one = call("analyse", {{"fen", "7k/8/8/8/8/8/r7/7K w - - 0 1"}, {"lines", 5}});
    CHECK(one.structured.at("lines").size() == 1);
    const auto over = call("analyse", {{"moves", "f3 e5 g4 Qh4#"}});
    CHECK_FALSE(over.is_error);
    CHECK(over.structured.at("lines").empty());
}

TEST_CASE("an explanation has sentences and the line of its claim", "[mcp]") {
    const auto worse = call("explain", {{"moves", "e4"}, {"move", "e5"}}).structured;
    CHECK(worse.at("move") == "e5");
    CHECK(worse.at("verdict") == "worse");
    CHECK(worse.at("sentences").at(0) == "e5 allows mate in 1.");
    CHECK(worse.at("claim").at("line").size() == 1);
    const auto best = call("explain", {{"moves", "e4"}}).structured;
    CHECK(best.at("move") == best.at("better"));
    CHECK_FALSE(best.contains("claim"));
    CHECK(best.at("only_move") == Json{{"others_allow_mate", true}, {"others_lose", 3}});
}

TEST_CASE("a review names opening, accuracies and mistakes", "[mcp]") {
    const auto result = call("review_game", {{"moves", "e4 e5 Nf3 Nc6"}});
    CHECK(result.structured.at("opening").at("eco") == "C44");
    const auto& moves = result.structured.at("moves");
    REQUIRE(moves.size() == 4);
    CHECK(moves[1].at("side") == "black");
    CHECK(moves[1].at("judgement") == "fine");
    CHECK(moves[2].at("judgement") == "fine");
    CHECK(moves[3].contains("white_winning_chance"));
    CHECK_THAT(result.text, Contains("Moves: 1. e4 e5 2. Nf3 Nc6"));
}
