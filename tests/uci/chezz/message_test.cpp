#include "uci/chezz/message.hpp"

#include "uci/chezz/base64.hpp"

#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using core::Color;

namespace {

using Texts = std::vector<std::string>;

constexpr UserId white{70};
constexpr UserId black{71};

Table table_after(const Texts& moves) {
    Table table;
    table.id = GameId{5};
    table.seats = {white, black};
    table.game = tests::chezz_game(moves);
    return table;
}

std::string last_news(const Texts& moves, const Rules& rules = {}) {
    Table before = table_after(moves);
    before.game.undo(1);
    return news(before, table_after(moves), rules).front();
}

const Texts twice_there_and_back{"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"};

}  // namespace

TEST_CASE("golden games are told move by move as chezz-back does", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        CAPTURE(golden.name);
        if (golden.messages.is_null())
            continue;
        Table before = table_after({});
        for (std::size_t ply = 0; ply < golden.moves.size(); ++ply) {
            Table after = before;
            after.game.play(*read_move_text(before.game.position(), golden.moves[ply]));
            const auto heard = nlohmann::json::parse(news(before, after, Rules{}).front());
            REQUIRE(heard == golden.messages[ply]);
            before = after;
        }
    }
}

TEST_CASE("messages have chezz-back's bytes", "[chezz]") {
    CHECK(last_news({"e2e4"})
          == R"({"type":"move","uci":"e2e4","mateStatus":"","enPassantCapture":"",)"
             R"("checkedPlayer":2})");
    CHECK(last_news({"e2e4", "a7a6", "e4e5", "d7d5", "e5d6"})
          == R"({"type":"move","uci":"e5d6","mateStatus":"","enPassantCapture":"d5",)"
             R"("checkedPlayer":2})");
    CHECK(last_news({"f2f3", "e7e5", "g2g4", "d8h4"})
          == R"({"type":"move","uci":"d8h4","mateStatus":"#","enPassantCapture":"",)"
             R"("checkedPlayer":0})");
    CHECK(error_message({"MOVE_NOT_ALLOWED", "not a valid movement, allowed moves [44 36]"})
          == R"({"type":"error","error":"not a valid movement, allowed moves [44 36]",)"
             R"("code":"MOVE_NOT_ALLOWED"})");
    CHECK(welcome_messages(table_after({}), Rules{}, white, std::nullopt)
          == Texts{R"({"type":"init","relation":"white"})"});
    CHECK(welcome_messages(table_after({}), Rules{}, UserId{99}, std::nullopt)
          == Texts{R"({"type":"init","relation":"observer"})"});
}

TEST_CASE("bodies have chezz-back's bytes", "[chezz]") {
    CHECK(game_body(table_after({}), Rules{}, Relation::white)
          == R"({"relation":"white","blackPlayer":"71","whitePlayer":"70","gameId":"5","board":)"
             R"("AAIADwQDAgUGAgMEAQEBAQEBAQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAkJCQkJCQkJ)"
             R"(DAsKDQ4KCwwA"})");
    CHECK(created_body(GameId{5}) == R"({"message":"Game created","game_id":"5"})");
    CHECK(unknown_game_body("<a&b>\"")
          == R"({"message":"Game with id '\u003ca\u0026b\u003e\"' was not found or could not be )"
             R"(recovered.","code":404})");
}

TEST_CASE("who comes late is told the whole game", "[chezz]") {
    const auto table = table_after({"e2e4"});
    const std::string state =
        R"({"type":"state","board":")" + base64(tests::bytes_of(table.game)) + R"("})";
    CHECK(welcome_messages(table, Rules{}, black, std::nullopt)
          == Texts{R"({"type":"init","relation":"black"})", state});
}

TEST_CASE("who has seen some of the game is told the rest", "[chezz]") {
    const std::string init = R"({"type":"init","relation":"black"})";
    const auto table = table_after({"e2e4", "e7e5"});
    CHECK(welcome_messages(table, Rules{}, black, 1)
          == Texts{init, R"({"type":"move","uci":"e7e5","mateStatus":"","enPassantCapture":"",)"
                         R"("checkedPlayer":2})"});
    CHECK(welcome_messages(table, Rules{}, black, 2) == Texts{init});
}

TEST_CASE("a draw that may be claimed is told once", "[chezz]") {
    auto before = table_after(twice_there_and_back);
    before.game.undo(1);
    auto table = table_after(twice_there_and_back);
    const std::string claim = R"({"type":"draw","reason":"threefold repetition","claimable":true})";
    CHECK(news(before, table, Rules{}).back() == claim);
    CHECK(news(table, table, Rules{}).empty());
    table.draw_claimed = true;
    CHECK(news(table_after(twice_there_and_back), table, Rules{})
          == Texts{R"({"type":"end","result":"1/2-1/2","reason":"threefold repetition"})"});
}

TEST_CASE("a resignation is told", "[chezz]") {
    auto table = table_after({"e2e4"});
    table.resigned = Color::white;
    const std::string end = R"({"type":"end","result":"0-1","reason":"resignation"})";
    CHECK(news(table_after({"e2e4"}), table, Rules{}) == Texts{end});
    CHECK(welcome_messages(table, Rules{}, black, 1).back() == end);
}

TEST_CASE("a mate needs no words but its move", "[chezz]") {
    const Texts moves{"f2f3", "e7e5", "g2g4", "d8h4"};
    CHECK(news(table_after({}), table_after(moves), Rules{}).size() == moves.size());
}

TEST_CASE("another game than before is told as a whole", "[chezz]") {
    const auto messages = news(table_after({"e2e4"}), table_after({"d2d4"}), Rules{});
    REQUIRE(messages.size() == 1);
    CHECK(messages.front().starts_with(R"({"type":"state",)"));
}

TEST_CASE("draws look like a stalemate where they shall stop the front end", "[chezz]") {
    Rules rules;
    rules.draws_stop_play = true;
    const auto heard = nlohmann::json::parse(last_news(twice_there_and_back, rules));
    CHECK(heard["mateStatus"] == "-");
    const auto body =
        nlohmann::json::parse(game_body(table_after(twice_there_and_back), rules, Relation::white));
    CHECK((*read_base64(body["board"].get<std::string>()))[status_at] == 2);
}
