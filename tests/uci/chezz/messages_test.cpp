#include "uci/chezz/messages.hpp"

#include "uci/util/base64.hpp"

#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using namespace uci::chezz::codec;
using core::Color;

namespace {

using Texts = std::vector<std::string>;

constexpr UserId white{70};
constexpr UserId black{71};

GameState state_after(const Texts& moves) {
    GameState state;
    state.id = GameId{5};
    state.seats = {white, black};
    state.game = tests::chezz_game(moves);
    return state;
}

std::string last_update(const Texts& moves, const Rules& rules = {}) {
    GameState before = state_after(moves);
    REQUIRE(before.game.undo(1));
    return updates_since(before, state_after(moves), rules).front();
}

const Texts twice_there_and_back{"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"};

}  // namespace

TEST_CASE("golden games give chezz-back's message for each move", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        CAPTURE(golden.name);
        if (golden.messages.is_null())
            continue;
        GameState before = state_after({});
        for (std::size_t ply = 0; ply < golden.moves.size(); ++ply) {
            GameState after = before;
            after.game.play(*read_move_text(before.game.position(), golden.moves[ply]));
            const auto received =
                nlohmann::json::parse(updates_since(before, after, Rules{}).front());
            REQUIRE(received == golden.messages[ply]);
            before = after;
        }
    }
}

TEST_CASE("messages have chezz-back's bytes", "[chezz]") {
    CHECK(last_update({"e2e4"})
          == R"({"type":"move","uci":"e2e4","mateStatus":"","enPassantCapture":"",)"
             R"("checkedPlayer":2})");
    CHECK(last_update({"e2e4", "a7a6", "e4e5", "d7d5", "e5d6"})
          == R"({"type":"move","uci":"e5d6","mateStatus":"","enPassantCapture":"d5",)"
             R"("checkedPlayer":2})");
    CHECK(last_update({"f2f3", "e7e5", "g2g4", "d8h4"})
          == R"({"type":"move","uci":"d8h4","mateStatus":"#","enPassantCapture":"",)"
             R"("checkedPlayer":0})");
    CHECK(error_message({"MOVE_NOT_ALLOWED", "not a valid movement, allowed moves [44 36]"})
          == R"({"type":"error","error":"not a valid movement, allowed moves [44 36]",)"
             R"("code":"MOVE_NOT_ALLOWED"})");
    CHECK(join_messages(state_after({}), Rules{}, white, std::nullopt)
          == Texts{R"({"type":"init","relation":"white"})"});
    CHECK(join_messages(state_after({}), Rules{}, UserId{99}, std::nullopt)
          == Texts{R"({"type":"init","relation":"observer"})"});
}

TEST_CASE("bodies have chezz-back's bytes", "[chezz]") {
    CHECK(game_body(state_after({}), Rules{}, Relation::white)
          == R"({"relation":"white","blackPlayer":"71","whitePlayer":"70","gameId":"5","board":)"
             R"("AAIADwQDAgUGAgMEAQEBAQEBAQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAkJCQkJCQkJ)"
             R"(DAsKDQ4KCwwA"})");
    CHECK(created_body(GameId{5}) == R"({"message":"Game created","game_id":"5"})");
    CHECK(unknown_game_body("<a&b>\"")
          == R"({"message":"Game with id '\u003ca\u0026b\u003e\"' was not found or could not be )"
             R"(recovered.","code":404})");
}

TEST_CASE("a client who joins late gets the whole game", "[chezz]") {
    const auto state = state_after({"e2e4"});
    const std::string message =
        R"({"type":"state","board":")" + uci::util::base64(tests::bytes_of(state.game)) + R"("})";
    CHECK(join_messages(state, Rules{}, black, std::nullopt)
          == Texts{R"({"type":"init","relation":"black"})", message});
}

TEST_CASE("a client who has seen some of the game gets the other moves", "[chezz]") {
    const std::string init = R"({"type":"init","relation":"black"})";
    const auto state = state_after({"e2e4", "e7e5"});
    CHECK(join_messages(state, Rules{}, black, 1)
          == Texts{init, R"({"type":"move","uci":"e7e5","mateStatus":"","enPassantCapture":"",)"
                         R"("checkedPlayer":2})"});
    CHECK(join_messages(state, Rules{}, black, 2) == Texts{init});
}

TEST_CASE("a claimable draw is sent once", "[chezz]") {
    auto before = state_after(twice_there_and_back);
    REQUIRE(before.game.undo(1));
    auto state = state_after(twice_there_and_back);
    const std::string claim = R"({"type":"draw","reason":"threefold repetition","claimable":true})";
    CHECK(updates_since(before, state, Rules{}).back() == claim);
    CHECK(updates_since(state, state, Rules{}).empty());
    state.draw_claimed = true;
    CHECK(updates_since(state_after(twice_there_and_back), state, Rules{})
          == Texts{R"({"type":"end","result":"1/2-1/2","reason":"threefold repetition"})"});
}

TEST_CASE("a resignation ends the game with a message", "[chezz]") {
    auto state = state_after({"e2e4"});
    state.resigned = Color::white;
    const std::string end = R"({"type":"end","result":"0-1","reason":"resignation"})";
    CHECK(updates_since(state_after({"e2e4"}), state, Rules{}) == Texts{end});
    CHECK(join_messages(state, Rules{}, black, 1).back() == end);
}

TEST_CASE("a mate is shown by its move alone", "[chezz]") {
    const Texts moves{"f2f3", "e7e5", "g2g4", "d8h4"};
    CHECK(updates_since(state_after({}), state_after(moves), Rules{}).size() == moves.size());
}

TEST_CASE("a game that does not continue the old one is sent as a whole", "[chezz]") {
    const auto messages = updates_since(state_after({"e2e4"}), state_after({"d2d4"}), Rules{});
    REQUIRE(messages.size() == 1);
    CHECK(messages.front().starts_with(R"({"type":"state",)"));
}

TEST_CASE("with draws_stop_play a draw is shown as stalemate", "[chezz]") {
    Rules rules;
    rules.draws_stop_play = true;
    const auto received = nlohmann::json::parse(last_update(twice_there_and_back, rules));
    CHECK(received["mateStatus"] == "-");
    const auto body =
        nlohmann::json::parse(game_body(state_after(twice_there_and_back), rules, Relation::white));
    CHECK((*uci::util::read_base64(body["board"].get<std::string>()))[status_at] == 2);
}
