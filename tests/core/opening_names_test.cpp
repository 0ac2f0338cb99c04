#include "core/opening_names.hpp"

#include "core/text.hpp"

#include "tests/core/positions.hpp"

using namespace core;

namespace {

Game game_of(const Position& start, std::string_view moves) {
    Game game{start};
    Words words{moves};
    while (const auto word = words.next())
        game.play(*read_move(game.position(), *word));
    return game;
}

}  // namespace

TEST_CASE("the opening is that of the last position with a name", "[opening_names]") {
    const auto [moves, eco, name] = GENERATE(table<std::string, std::string, std::string>({
        {"e4", "B00", "King's Pawn Game"},
        {"e4 e5 Nf3 Nc6 Bb5 Nf6", "C65", "Ruy Lopez: Berlin Defense"},
        {"e4 e5 Nf3 Nc6 Bb5 Nf6 h3 h6 a3 a5", "C65", "Ruy Lopez: Berlin Defense"},
        // As e4 e5 Bc4 Nc6 Nf3 goes.
        {"e4 e5 Nf3 Nc6 Bc4", "C50", "Italian Game"},
        {"e4 e5 Bc4 Nc6 Nf3", "C50", "Italian Game"},
        {"e4 e6 d4 d5 Nc3 Bb4 e5 c5 a3 Bxc3+ bxc3 Ne7 Qg4 cxd4 Qxg7 Rg8 Qxh7 Qc7 Ne2 Nbc6 f4 Bd7",
         "C18", "French Defense: Winawer Variation, Poisoned Pawn Variation, Main Line"},
        {"b1c3 d7d5 e2e4 d5e4 f2f3", "A00", "Van Geet Opening: Dougherty Gambit"},
        {"h4 e5 d4 exd4 c3", "A00",
         "K\xc3\xa1"
         "das Opening: K\xc3\xa1"
         "das Gambit"},
    }));
    CAPTURE(moves);
    const auto opening = opening_of(game_of(Position::start(), moves));
    REQUIRE(opening);
    CHECK(opening->eco == eco);
    CHECK(opening->name == name);
}

TEST_CASE("a game without a known position has no opening", "[opening_names]") {
    const auto position = tests::position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    CHECK_FALSE(opening_of(game_of(position, "O-O Kd7")));
    CHECK_FALSE(opening_of(Game{}));
}

TEST_CASE("every line of the table names another position", "[opening_names]") {
    CHECK(number_of_openings() == 3807);
}
