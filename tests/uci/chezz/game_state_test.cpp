#include "uci/chezz/game_state.hpp"

#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using core::Color;

namespace {

constexpr UserId maker{70};
constexpr UserId second{71};
constexpr UserId third{72};

GameState state_after(const std::vector<std::string>& moves) {
    GameState state = new_game_state(GameId{5}, maker, Color::white);
    take_free_seat(state, second);
    state.game = tests::chezz_game(moves);
    return state;
}

/// Knights that go out and back this many times.
std::vector<std::string> shuffle(int times) {
    std::vector<std::string> moves;
    for (int i = 0; i < times; ++i)
        moves.insert(moves.end(), {"g1f3", "g8f6", "f3g1", "f6g8"});
    return moves;
}

}  // namespace

TEST_CASE("the first user to come gets the free seat", "[chezz]") {
    const Color color = GENERATE(Color::white, Color::black);
    GameState state = new_game_state(GameId{5}, maker, color);
    CHECK(has_free_seat(state));
    CHECK_FALSE(take_free_seat(state, maker));
    CHECK(take_free_seat(state, second));
    CHECK_FALSE(has_free_seat(state));
    CHECK_FALSE(take_free_seat(state, third));
    CHECK(state.seat(color) == maker);
    CHECK(state.seat(~color) == second);
    CHECK(relation_of(state, third) == Relation::observer);
}

TEST_CASE("Black's seat is taken before White's", "[chezz]") {
    GameState state;
    CHECK(take_free_seat(state, maker));
    CHECK(relation_of(state, maker) == Relation::black);
    CHECK(take_free_seat(state, second));
    CHECK(relation_of(state, second) == Relation::white);
}

TEST_CASE("a game ends by FIDE's rules", "[chezz]") {
    const Rules rules;
    CHECK_FALSE(ending_of(state_after({}), rules));
    CHECK(ending_of(state_after({"f2f3", "e7e5", "g2g4", "d8h4"}), rules)
          == Ending{EndReason::checkmate, Color::black});
    CHECK_FALSE(ending_of(state_after(shuffle(2)), rules));
    CHECK_FALSE(ending_of(state_after(shuffle(3)), rules));
    CHECK(ending_of(state_after(shuffle(4)), rules)
          == Ending{EndReason::fivefold_repetition, std::nullopt});
}

TEST_CASE("a threefold repetition is a draw once claimed", "[chezz]") {
    const Rules rules;
    CHECK_FALSE(claimable_draw(state_after(shuffle(1)), rules));
    GameState state = state_after(shuffle(2));
    CHECK(claimable_draw(state, rules) == EndReason::threefold_repetition);
    state.draw_claimed = true;
    CHECK(ending_of(state, rules) == Ending{EndReason::threefold_repetition, std::nullopt});
    CHECK_FALSE(claimable_draw(state, rules));
}

TEST_CASE("with draws_stop_play the third repetition ends the game", "[chezz]") {
    Rules rules;
    rules.draws_stop_play = true;
    CHECK(ending_of(state_after(shuffle(2)), rules)
          == Ending{EndReason::threefold_repetition, std::nullopt});
}

TEST_CASE("the engine claims every draw", "[chezz]") {
    GameState state = new_game_state(GameId{5}, maker, Color::white);
    state.seat(Color::black) = engine_user;
    state.game = tests::chezz_game(shuffle(2));
    CHECK(ending_of(state, Rules{}) == Ending{EndReason::threefold_repetition, std::nullopt});
}

TEST_CASE("the player who resigns loses", "[chezz]") {
    GameState state = state_after({"e2e4"});
    state.resigned = Color::white;
    CHECK(ending_of(state, Rules{}) == Ending{EndReason::resignation, Color::black});
}

TEST_CASE("it is the engine's turn only while the game goes on", "[chezz]") {
    GameState state = new_game_state(GameId{5}, maker, Color::white);
    state.seat(Color::black) = engine_user;
    CHECK_FALSE(awaits_engine(state, Rules{}));
    state.game = tests::chezz_game({"e2e4"});
    CHECK(awaits_engine(state, Rules{}));
    state.resigned = Color::white;
    CHECK_FALSE(awaits_engine(state, Rules{}));
}
