#include "uci/chezz/record.hpp"

#include "uci/chezz/base64.hpp"

#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;

namespace {

constexpr GameId game_id{2'123'936'455'100'207'104};

Table table_after(const std::vector<std::string>& moves) {
    Table table = new_table(game_id, UserId{77}, core::Color::white);
    table.game = tests::chezz_game(moves);
    return table;
}

/// A record with another value under a key.
std::string changed(const char* key, const nlohmann::json& value) {
    auto json = nlohmann::ordered_json::parse(game_record(table_after({"e2e4"})));
    json[key] = value;
    return json.dump();
}

std::string state_of(const std::vector<std::string>& moves, Form form) {
    return base64(tests::bytes_of(tests::chezz_game(moves), form));
}

}  // namespace

TEST_CASE("a new game's record is chezz-back's", "[chezz]") {
    CHECK(game_record(table_after({}))
          == R"({"GameState":"CAIADwQDAgUGAgMEAQEBAQEBAQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)"
             R"(AAAAAAkJCQkJCQkJDAsKDQ4KCwwA","WhitePlayer":77,"BlackPlayer":0,)"
             R"("GameId":2123936455100207104})");
}

TEST_CASE("every golden game comes back from its record", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        CAPTURE(golden.name);
        Table table = table_after(golden.moves);
        table.seat(core::Color::black) = UserId{78};
        const auto back = read_game_record(game_record(table));
        REQUIRE(back);
        CHECK(back->id == game_id);
        CHECK(back->seats == table.seats);
        CHECK(back->game.moves() == table.game.moves());
        CHECK_FALSE(back->engine_time);
        CHECK_FALSE(back->resigned);
        CHECK_FALSE(back->draw_claimed);
    }
}

TEST_CASE("what chezz-back does not know comes back too", "[chezz]") {
    Table table = table_after({"e2e4"});
    table.seat(core::Color::black) = engine_user;
    table.engine_time = std::chrono::milliseconds{500};
    table.resigned = core::Color::black;
    table.draw_claimed = true;
    const auto back = read_game_record(game_record(table));
    REQUIRE(back);
    CHECK(back->engine_time == table.engine_time);
    CHECK(back->resigned == core::Color::black);
    CHECK(back->draw_claimed);
    CHECK(back->seat(core::Color::black) == engine_user);
}

TEST_CASE("records of chezz-back's own are read with their mistakes", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        const auto found = golden.hex.find(Form::flawed_server);
        if (found == golden.hex.end())
            continue;
        CAPTURE(golden.name);
        const auto back = read_game_record(changed("GameState", base64(*read_hex(found->second))));
        REQUIRE(back);
        CHECK(back->game.moves() == tests::chezz_game(golden.moves).moves());
    }
}

TEST_CASE("what is no record of a game is refused", "[chezz]") {
    const auto text = GENERATE(as<std::string>{}, "", "null", "[]", "{}", "nonsense",
                               R"({"GameState":"","WhitePlayer":1,"BlackPlayer":0,"GameId":5})",
                               changed("GameState", 5), changed("GameState", "AAAA"),
                               changed("GameState", "no base64"), changed("WhitePlayer", "77"),
                               changed("BlackPlayer", nullptr), changed("GameId", 1.5),
                               // an upside-down board of older servers has no version either
                               changed("GameState", state_of({"e2e4"}, Form::front_end)));
    CAPTURE(text);
    CHECK_FALSE(read_game_record(text));
}

TEST_CASE("a session's record is chezz-back's", "[chezz]") {
    const auto text = session_record("-P6vVCCjXRMraClAlzol", UserId{2'123'936'455'096'012'800});
    CHECK(text == R"({"Data":{},"SessionId":"-P6vVCCjXRMraClAlzol","UserId":2123936455096012800})");
    const auto user = read_session_record(text);
    REQUIRE(user);
    CHECK(*user == UserId{2'123'936'455'096'012'800});
}

TEST_CASE("nobody is the engine by a session's record", "[chezz]") {
    const auto text = GENERATE("", "{}", R"({"UserId":"5"})", R"({"UserId":1})", R"({"UserId":0})",
                               R"({"UserId":-5})");
    CAPTURE(text);
    CHECK_FALSE(read_session_record(text));
}

TEST_CASE("keys are chezz-back's", "[chezz]") {
    CHECK(game_key(game_id) == "game.{ABDA6/O8eR0}");
    CHECK(session_key("-P6v") == "session.-P6v");
}
