#include "uci/chezz/action.hpp"

#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using core::Color;

namespace {

constexpr UserId white{70};
constexpr UserId black{71};
constexpr UserId observer{72};

GameState state_after(const std::vector<std::string>& moves) {
    GameState state;
    state.seats = {white, black};
    state.game = tests::chezz_game(moves);
    return state;
}

UserId mover(const GameState& state) {
    return *state.seat(state.game.position().side_to_move());
}

/// What a message of the player to move leads to: code and text of the error, or the move.
std::string answer(const GameState& state, std::string_view message, const Rules& rules = {}) {
    const auto action = validate(state, rules, mover(state), message);
    if (const auto* rejection = std::get_if<Rejection>(&action))
        return std::string{rejection->code} + ": " + rejection->text;
    const auto& accepted = std::get<Action>(action);
    if (const auto* move = std::get_if<core::Move>(&accepted))
        return move_text(*move);
    return std::holds_alternative<DrawClaim>(accepted) ? "draw" : "resign";
}

std::string code(const GameState& state, UserId user, std::string_view message) {
    const auto action = validate(state, Rules{}, user, message);
    const auto* rejection = std::get_if<Rejection>(&action);
    return rejection ? std::string{rejection->code} : "accepted";
}

const std::vector<std::string> before_promotion{"h2h4", "g7g5", "h4g5", "h7h6",
                                                "g5h6", "g8f6", "h6h7", "f6g8"};

}  // namespace

TEST_CASE("all moves of golden games are accepted", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        CAPTURE(golden.name);
        GameState state = state_after({});
        for (const auto& move : golden.moves) {
            REQUIRE(answer(state, move) == move);
            state =
                apply_action(state, std::get<Action>(validate(state, Rules{}, mover(state), move)));
        }
    }
}

TEST_CASE("only the player to move may move", "[chezz]") {
    const auto state = state_after({});
    CHECK(code(state, white, "e2e4") == "accepted");
    CHECK(code(state, black, "e7e5") == "NOT_YOUR_TURN");
    CHECK(code(state, observer, "e2e4") == "NOT_YOUR_TURN");
    CHECK(code(state, black, "nonsense") == "NOT_YOUR_TURN");
}

TEST_CASE("an illegal move gets chezz-back's code and text", "[chezz]") {
    const auto [moves, message,
                expected] = GENERATE(table<std::vector<std::string>, std::string, std::string>({
        {{}, "hello", "UNPARSEABLE_MOVE: Could not parse move."},
        {{}, "", "UNPARSEABLE_MOVE: Could not parse move."},
        {{}, "e2e9", "UNPARSEABLE_MOVE: Could not parse move."},
        {{}, "e2e4 ", "UNPARSEABLE_MOVE: Could not parse move."},
        {{}, "e2e4e.p", "UNPARSEABLE_MOVE: Could not parse move."},
        {{}, "e2e4Q", "UNPARSEABLE_MOVE: Could not parse move."},
        {{}, "e4e5", "INVALID_PIECE_SELECTED: No piece selected or piece not owned"},
        {{}, "e7e5", "INVALID_PIECE_SELECTED: No piece selected or piece not owned"},
        {{}, "e1e2", "INVALID_POSITION: Move position invalid, already occupied by another piece"},
        {{}, "e2e2", "INVALID_POSITION: Move position invalid, already occupied by another piece"},
        {{}, "e2e5", "MOVE_NOT_ALLOWED: not a valid movement, allowed moves [20 28]"},
        {{"e2e4"}, "e7e4", "MOVE_NOT_ALLOWED: not a valid movement, allowed moves [44 36]"},
        {{}, "g1g3", "MOVE_NOT_ALLOWED: invalid movement, allowed [21 23]"},
        {{}, "a1a3", "MOVE_NOT_ALLOWED: invalid movement, allowed []"},
        {{"e2e4", "f7f6", "d2d3", "g7g5"},
         "e1g1",
         "INVALID_POSITION: Move position invalid, already occupied by another piece"},
        {{"e2e4", "d7d5", "f1b5"}, "a7a6", "MOVE_IN_CHECK: Move should not result in check"},
        {{"f2f3", "e7e5", "g2g4", "d8h4"}, "a2a3", "CHECKMATE: Game in checkmate"},
    }));
    CAPTURE(message);
    CHECK(answer(state_after(moves), message) == expected);
}

TEST_CASE("castling through check is rejected", "[chezz]") {
    // The bishop on a6 attacks f1.
    const auto state =
        state_after({"e2e4", "b7b6", "g1f3", "c8a6", "f1c4", "h7h6", "c4d5", "h6h5"});
    CHECK(answer(state, "e1g1") == "MOVE_NOT_ALLOWED: invalid movement, allowed [5 12]");
}

TEST_CASE("a promotion without its letter is to a queen", "[chezz]") {
    const auto state = state_after(before_promotion);
    CHECK(answer(state, "h7g8") == "h7g8Q");
    CHECK(answer(state, "h7g8q") == "h7g8Q");
    CHECK(answer(state, "h7g8n") == "h7g8N");
    Rules strict;
    strict.queen_by_default = false;
    CHECK(answer(state, "h7g8", strict) == "MOVE_MISSING_PROMOTION: move requires promotion");
    CHECK(answer(state, "h7g8Q", strict) == "h7g8Q");
}

TEST_CASE("players may resign at any time, observers never", "[chezz]") {
    const auto state = state_after({});
    const auto of_black = std::get<Action>(validate(state, Rules{}, black, "resign"));
    REQUIRE(std::holds_alternative<Resignation>(of_black));
    CHECK(std::get<Resignation>(of_black).player == Color::black);
    CHECK(code(state, observer, "resign") == "NOT_A_PLAYER");
    const auto over = apply_action(state, of_black);
    CHECK(code(over, white, "resign") == "GAME_OVER");
    CHECK(answer(over, "e2e4") == "GAME_OVER: Game ended by resignation");
}

TEST_CASE("a draw can be claimed only if there is one", "[chezz]") {
    CHECK(code(state_after({}), white, "draw") == "NO_DRAW");
    const auto state =
        state_after({"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"});
    CHECK(code(state, observer, "draw") == "NOT_A_PLAYER");
    CHECK(answer(state, "e2e4") == "e2e4");
    const auto drawn =
        apply_action(state, std::get<Action>(validate(state, Rules{}, black, "draw")));
    CHECK(answer(drawn, "e2e4") == "GAME_OVER: Game ended by threefold repetition");
}

TEST_CASE("plies that crash chezz-back are ordinary moves", "[chezz]") {
    const auto moves = GENERATE(std::vector<std::string>{"h2h4", "a7a5", "h4h5"},
                                std::vector<std::string>{"e2e4", "a7a6", "e4e5", "f7f5", "e5e6"},
                                std::vector<std::string>{"g1f3", "a7a6", "f3e5", "d7d5", "e5c6"});
    GameState state = state_after({});
    for (const auto& move : moves) {
        REQUIRE(answer(state, move) == move);
        state = apply_action(state, std::get<Action>(validate(state, Rules{}, mover(state), move)));
    }
}
