#include "uci/chezz/table.hpp"

#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using core::Color;

namespace {

constexpr UserId maker{70};
constexpr UserId second{71};
constexpr UserId third{72};

Table table_after(const std::vector<std::string>& moves) {
    Table table = new_table(GameId{5}, maker, Color::white);
    take_seat(table, second);
    table.game = tests::chezz_game(moves);
    return table;
}

/// Knights that go out and back so many times.
std::vector<std::string> shuffle(int times) {
    std::vector<std::string> moves;
    for (int i = 0; i < times; ++i)
        moves.insert(moves.end(), {"g1f3", "g8f6", "f3g1", "f6g8"});
    return moves;
}

}  // namespace

TEST_CASE("whoever comes first gets the free seat", "[chezz]") {
    const Color color = GENERATE(Color::white, Color::black);
    Table table = new_table(GameId{5}, maker, color);
    CHECK(has_free_seat(table));
    CHECK_FALSE(take_seat(table, maker));
    CHECK(take_seat(table, second));
    CHECK_FALSE(has_free_seat(table));
    CHECK_FALSE(take_seat(table, third));
    CHECK(table.seat(color) == maker);
    CHECK(table.seat(~color) == second);
    CHECK(relation_of(table, third) == Relation::observer);
}

TEST_CASE("Black's seat is taken before White's", "[chezz]") {
    Table table;
    CHECK(take_seat(table, maker));
    CHECK(relation_of(table, maker) == Relation::black);
    CHECK(take_seat(table, second));
    CHECK(relation_of(table, second) == Relation::white);
}

TEST_CASE("a game ends as FIDE says", "[chezz]") {
    const Rules rules;
    CHECK_FALSE(ending_of(table_after({}), rules));
    CHECK(ending_of(table_after({"f2f3", "e7e5", "g2g4", "d8h4"}), rules)
          == Ending{EndReason::checkmate, Color::black});
    CHECK_FALSE(ending_of(table_after(shuffle(2)), rules));
    CHECK_FALSE(ending_of(table_after(shuffle(3)), rules));
    CHECK(ending_of(table_after(shuffle(4)), rules)
          == Ending{EndReason::fivefold_repetition, std::nullopt});
}

TEST_CASE("a draw by the third repetition is claimed", "[chezz]") {
    const Rules rules;
    CHECK_FALSE(claimable_draw(table_after(shuffle(1)), rules));
    Table table = table_after(shuffle(2));
    CHECK(claimable_draw(table, rules) == EndReason::threefold_repetition);
    table.draw_claimed = true;
    CHECK(ending_of(table, rules) == Ending{EndReason::threefold_repetition, std::nullopt});
    CHECK_FALSE(claimable_draw(table, rules));
}

TEST_CASE("the third repetition ends a game where it was so decided", "[chezz]") {
    Rules rules;
    rules.draws_stop_play = true;
    CHECK(ending_of(table_after(shuffle(2)), rules)
          == Ending{EndReason::threefold_repetition, std::nullopt});
}

TEST_CASE("the engine claims every draw", "[chezz]") {
    Table table = new_table(GameId{5}, maker, Color::white);
    table.seat(Color::black) = engine_user;
    table.game = tests::chezz_game(shuffle(2));
    CHECK(ending_of(table, Rules{}) == Ending{EndReason::threefold_repetition, std::nullopt});
}

TEST_CASE("who resigns loses", "[chezz]") {
    Table table = table_after({"e2e4"});
    table.resigned = Color::white;
    CHECK(ending_of(table, Rules{}) == Ending{EndReason::resignation, Color::black});
}

TEST_CASE("the engine is awaited in its turn, while the game goes on", "[chezz]") {
    Table table = new_table(GameId{5}, maker, Color::white);
    table.seat(Color::black) = engine_user;
    CHECK_FALSE(awaits_engine(table, Rules{}));
    table.game = tests::chezz_game({"e2e4"});
    CHECK(awaits_engine(table, Rules{}));
    table.resigned = Color::white;
    CHECK_FALSE(awaits_engine(table, Rules{}));
}
