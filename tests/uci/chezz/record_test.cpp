#include "uci/chezz/record.hpp"

#include "uci/util/base64.hpp"

#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using namespace uci::chezz::codec;

namespace {

constexpr GameId game_id{2'123'936'455'100'207'104};

GameState state_after(const std::vector<std::string>& moves) {
    GameState state = new_game_state(game_id, UserId{77}, core::Color::white);
    state.game = tests::chezz_game(moves);
    return state;
}

/// A record with one member changed.
std::string changed(const char* key, const nlohmann::json& value) {
    auto json = nlohmann::ordered_json::parse(game_record(state_after({"e2e4"})));
    json[key] = value;
    return json.dump();
}

std::string state_of(const std::vector<std::string>& moves, StateFormat form) {
    return uci::util::base64(tests::bytes_of(tests::chezz_game(moves), form));
}

}  // namespace

TEST_CASE("a new game's record is chezz-back's", "[chezz]") {
    CHECK(game_record(state_after({}))
          == R"({"GameState":"CAIADwQDAgUGAgMEAQEBAQEBAQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)"
             R"(AAAAAAkJCQkJCQkJDAsKDQ4KCwwA","WhitePlayer":77,"BlackPlayer":0,)"
             R"("GameId":2123936455100207104})");
}

TEST_CASE("every golden game survives a round trip through its record", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        CAPTURE(golden.name);
        GameState state = state_after(golden.moves);
        state.seat(core::Color::black) = UserId{78};
        const auto back = read_game_record(game_record(state));
        REQUIRE(back);
        CHECK(back->id == game_id);
        CHECK(back->seats == state.seats);
        CHECK(back->game.moves() == state.game.moves());
        CHECK_FALSE(back->engine_time);
        CHECK_FALSE(back->engine_elo);
        CHECK_FALSE(back->resigned);
        CHECK_FALSE(back->draw_claimed);
    }
}

TEST_CASE("the members that chezz-back does not know survive as well", "[chezz]") {
    GameState state = state_after({"e2e4"});
    state.seat(core::Color::black) = engine_user;
    state.engine_time = std::chrono::milliseconds{500};
    state.engine_elo = 1500;
    state.resigned = core::Color::black;
    state.draw_claimed = true;
    const auto back = read_game_record(game_record(state));
    REQUIRE(back);
    CHECK(back->engine_time == state.engine_time);
    CHECK(back->engine_elo == 1500);
    CHECK(back->resigned == core::Color::black);
    CHECK(back->draw_claimed);
    CHECK(back->seat(core::Color::black) == engine_user);
}

TEST_CASE("records with chezz-back's capture bug are read", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        const auto found = golden.hex.find(StateFormat::server_with_capture_bug);
        if (found == golden.hex.end())
            continue;
        CAPTURE(golden.name);
        const auto back = read_game_record(
            changed("GameState", uci::util::base64(*uci::util::read_hex(found->second))));
        REQUIRE(back);
        CHECK(back->game.moves() == tests::chezz_game(golden.moves).moves());
    }
}

TEST_CASE("an invalid game record is rejected", "[chezz]") {
    const auto text = GENERATE(as<std::string>{}, "", "null", "[]", "{}", "nonsense",
                               R"({"GameState":"","WhitePlayer":1,"BlackPlayer":0,"GameId":5})",
                               changed("GameState", 5), changed("GameState", "AAAA"),
                               changed("GameState", "no base64"), changed("WhitePlayer", "77"),
                               changed("BlackPlayer", nullptr), changed("GameId", 1.5),
                               // an upside-down board of older servers has no version either
                               changed("GameState", state_of({"e2e4"}, StateFormat::front_end)));
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

TEST_CASE("a session's record with an invalid user is rejected", "[chezz]") {
    const auto text = GENERATE("", "{}", R"({"UserId":"5"})", R"({"UserId":1})", R"({"UserId":0})",
                               R"({"UserId":-5})");
    CAPTURE(text);
    CHECK_FALSE(read_session_record(text));
}

TEST_CASE("keys are chezz-back's", "[chezz]") {
    CHECK(game_key(game_id) == "game.{ABDA6/O8eR0}");
    CHECK(session_key("-P6v") == "session.-P6v");
}
