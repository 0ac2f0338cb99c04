#include "core/game.hpp"

#include <tuple>

#include "core/text.hpp"

#include "tests/core/positions.hpp"

using namespace core;
using tests::position_of;

namespace {

using Texts = std::vector<std::string>;

Texts split(std::string_view moves) {
    Texts texts;
    Words words{moves};
    while (const auto word = words.next())
        texts.emplace_back(*word);
    return texts;
}

Game game_of(std::string_view fen, std::string_view moves) {
    Game game{position_of(fen)};
    const auto played = game.play(split(moves));
    INFO((played ? std::string{"fine"} : played.reason()));
    REQUIRE(played);
    return game;
}

const char* const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const char* const knights_out_and_back = "Nf3 Nf6 Ng1 Ng8 ";

}  // namespace

TEST_CASE("a new game is at the start position", "[game]") {
    const Game game;
    CHECK(game.position() == Position::start());
    CHECK(game.start() == Position::start());
    CHECK(game.moves().empty());
    CHECK(game.keys().size() == 1);
    CHECK(game.outcome() == Outcome::open);
}

TEST_CASE("a game plays moves in coordinates and SAN", "[game]") {
    Game game;
    const auto played = game.play(Texts{"e2e4", "e5", "g1f3", "Nc6", "Bb5"});
    REQUIRE(played);
    CHECK(*played == 5);
    CHECK(game.moves().size() == 5);
    CHECK(game.keys().size() == 6);
    CHECK(game.keys().back() == game.position().key());
    CHECK(fen(game.position())
          == "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
}

TEST_CASE("a game plays all of the moves or none", "[game]") {
    Game game;
    REQUIRE(game.play(Texts{"e4"}));
    const auto played = game.play(Texts{"e5", "Nf3", "Ke4", "Nc6"});
    REQUIRE_FALSE(played);
    CHECK(played.reason() == "move 3: 'Ke4' is not a legal move here");
    CHECK(game.moves().size() == 1);
    CHECK(game.keys().size() == 2);
    CHECK(fen(game.position()) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK(game.play(Texts{}));
}

TEST_CASE("undo takes back at most the moves played", "[game]") {
    auto game = game_of(start, "e4 e5 Nf3");
    CHECK(game.undo(2));
    CHECK(game.moves().size() == 1);
    CHECK(game.keys().size() == 2);
    CHECK(fen(game.position()) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK_FALSE(game.undo(2));
    CHECK_FALSE(game.undo(-1));
    CHECK(game.moves().size() == 1);
    CHECK(game.undo(0));
    CHECK(game.undo(1));
    CHECK(game.position() == Position::start());
    CHECK_FALSE(game.undo(1));
}

TEST_CASE("undo keeps the start position", "[game]") {
    const auto* const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9";
    auto game = game_of(fen, "O-O O-O-O");
    CHECK(game.undo(2));
    CHECK(game.position() == position_of(fen));
    CHECK(game.start() == position_of(fen));
}

TEST_CASE("outcome follows the rules", "[game]") {
    using Row = std::tuple<std::string, std::string, Outcome>;
    const auto [fen, moves, outcome] = GENERATE(values<Row>({
        {start, "", Outcome::open},
        {start, "f3 e5 g4 Qh4", Outcome::checkmate},
        {"7k/8/6K1/8/8/5Q2/8/8 w - - 0 1", "Qf7", Outcome::stalemate},
        {"7k/8/8/8/8/8/6pK/8 w - - 0 1", "Kxg2", Outcome::insufficient_material},
        {"7k/8/8/8/8/5N2/6pK/8 w - - 0 1", "Kxg2", Outcome::insufficient_material},
        {"7k/8/8/8/8/5B2/6pK/8 w - - 0 1", "Kxg2", Outcome::insufficient_material},
        {"7k/8/8/8/5NN1/8/6pK/8 w - - 0 1", "Kxg2", Outcome::open},
        {"5b1k/8/8/8/8/4B3/6pK/8 w - - 0 1", "Kxg2", Outcome::insufficient_material},
        {"4b2k/8/8/8/8/4B3/6pK/8 w - - 0 1", "Kxg2", Outcome::open},
        {"7k/8/8/8/8/8/R7/K7 w - - 98 80", "Ra3", Outcome::open},
        {"7k/8/8/8/8/8/R7/K7 w - - 99 80", "Ra3", Outcome::fifty_moves},
        {"7k/8/8/8/8/8/R7/K7 w - - 120 80", "", Outcome::fifty_moves},
        // Mate and stalemate on the hundredth ply come first.
        {"7k/8/6K1/8/8/8/R7/8 w - - 99 80", "Ra8", Outcome::checkmate},
        {"7k/8/6K1/8/8/5Q2/8/8 w - - 99 80", "Qf7", Outcome::stalemate},
    }));
    CAPTURE(fen, moves);
    CHECK(game_of(fen, moves).outcome() == outcome);
}

TEST_CASE("the third occurrence of a position is a draw, the start included", "[game]") {
    auto game = game_of(start, knights_out_and_back);
    CHECK(game.occurrences() == 2);
    CHECK(game.outcome() == Outcome::open);
    REQUIRE(game.play(split(knights_out_and_back)));
    CHECK(game.occurrences() == 3);
    CHECK(game.outcome() == Outcome::threefold_repetition);
    CHECK(game.undo(1));
    CHECK(game.outcome() == Outcome::open);
}

TEST_CASE("an en passant right makes a different position", "[game]") {
    // The pawn on d4 may capture on e3 only at once.
    const auto* const legal = "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1";
    const std::string twice = std::string{"e4 "} + "Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1";
    CHECK(game_of(legal, twice).occurrences() == 2);
    // If no pawn can capture, the double push makes no difference.
    const auto* const useless = "4k1n1/8/8/8/8/8/4P3/4K1N1 w - - 0 1";
    CHECK(game_of(useless, twice).occurrences() == 3);
    CHECK(game_of(useless, twice).outcome() == Outcome::threefold_repetition);
}

TEST_CASE("a castling right makes a different position", "[game]") {
    const auto* const rook_moves_and_returns = "Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8";
    CHECK(game_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", rook_moves_and_returns).occurrences() == 2);
    CHECK(game_of("4k3/8/8/8/8/8/8/4K2R w - - 0 1", rook_moves_and_returns).occurrences() == 3);
}

TEST_CASE("fen_with_en_passant_target names the square of every double push", "[game]") {
    const auto [fen, moves, field] = GENERATE(table<std::string, std::string, std::string>({
        {start, "", " KQkq - 0 1"},
        {start, "e4", " KQkq e3 0 1"},
        {start, "e4 c5", " KQkq c6 0 2"},
        {start, "e3", " KQkq - 0 1"},
        {start, "e3 e6 e4", " KQkq - 0 2"},
        {start, "e4 Nf6", " KQkq - 1 2"},
        {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra3", " - - 1 1"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", " - d6 0 1"},
    }));
    CAPTURE(fen, moves);
    const auto text = game_of(fen, moves).fen_with_en_passant_target();
    CAPTURE(text);
    REQUIRE(text.size() > field.size());
    CHECK(text.substr(text.size() - field.size()) == field);
}
