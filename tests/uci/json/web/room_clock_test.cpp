#include "tests/uci/json/web/fixture.hpp"
#include "tests/uci/json/web/room_client.hpp"

using namespace tests;
using namespace uci::json::web;
using namespace std::chrono_literals;

namespace {

std::string new_game_with_clocks(int milliseconds, int increment = 0) {
    return Json{{"message_type", "new_game"},
                {"white_time", milliseconds},
                {"black_time", milliseconds},
                {"white_increment", increment},
                {"black_increment", increment}}
        .dump();
}

GameRoom::Time now() {
    return std::chrono::steady_clock::now();
}

/// The last message of that type; fails without one.
Json last_of_type(const Lines& lines, const std::string& type) {
    const auto found = std::find_if(lines.rbegin(), lines.rend(),
                                    [&](const auto& line) { return type_of(line) == type; });
    REQUIRE(found != lines.rend());
    return Json::parse(*found);
}

const std::string white_key = "white's key......";
const std::string black_key = "black's key......";

/// Two players, and a game with so many milliseconds for each after both first moves.
struct ClockGame {
    WebFixture web;
    std::shared_ptr<GameRoom> room = web.games.create(now());
    RoomClient white{room};
    RoomClient black{room};

    explicit ClockGame(int milliseconds, int increment = 0) {
        white.ask(new_game_with_clocks(milliseconds, increment));
        white.ask(take_seat_request("white", white_key));
        black.ask(take_seat_request("black", black_key));
        black.ask(request("follow_game"));
        white.ask(move_request("E2", "E4"));
        black.ask(move_request("E7", "E5"));
    }
};

}  // namespace

TEST_CASE("followers see the clocks, and only changes of the game are sent", "[room_clock]") {
    ClockGame game{60'000, 1'000};
    const auto clock = last_of_type(game.black.received(), "game").at("clock");
    CHECK(clock.at("runs") == "white");
    CHECK(clock.at("white_time") <= 60'000);
    CHECK(clock.at("black_time") == 60'000);
    CHECK(clock.at("white_increment") == 1'000);
    CHECK(clock.at("black_base") == 60'000);
    CHECK(clock.at("left") == Json::array({60'000, 60'000}));
    game.black.clear();
    std::this_thread::sleep_for(2ms);
    game.white.ask(request("get_positions"));
    CHECK(game.white.ask(request("clock")).size() == 1);
    CHECK(game.black.received().empty());
    game.white.ask(move_request("D2", "D4"));
    CHECK(last_of_type(game.black.received(), "game").at("clock").at("runs") == "black");
}

TEST_CASE("another time control is sent before the first move, and then refused", "[room_clock]") {
    WebFixture web;
    RoomClient client{web.games.create(now())};
    CHECK_FALSE(Json::parse(client.ask(request("follow_game")).at(0)).contains("clock"));
    const std::string slower = R"({"message_type":"clock","white_time":2000,"black_time":3000})";
    const auto answer = client.ask(slower);
    REQUIRE(answer.size() == 2);
    CHECK(type_of(answer[0]) == "clock");
    CHECK(Json::parse(answer[1]).at("clock").at("black_time") == 3'000);
    client.ask(move_request("E2", "E4"));
    CHECK(client.ask(slower) == Lines{failure});
}

TEST_CASE("a flag falls by itself, and everybody hears of it", "[room_clock]") {
    ClockGame game{30};
    game.white.clear();
    game.black.clear();
    game.web.io.run_for(5s);  // until there is no alarm
    CHECK(last_of_type(game.white.received(), "game_end").at("victor") == "black");
    CHECK(last_of_type(game.black.received(), "game_end").at("reason") == "timeout");
    const auto shown = last_of_type(game.black.received(), "game");
    CHECK(shown.at("end").at("reason") == "timeout");
    CHECK(shown.at("clock").at("white_time") == 0);
    CHECK_FALSE(shown.at("clock").contains("runs"));
    CHECK(game.white.ask(move_request("D2", "D4")) == Lines{failure});
}

TEST_CASE("a move that comes after the flag is refused even before the alarm", "[room_clock]") {
    ClockGame game{10};
    std::this_thread::sleep_for(15ms);
    const auto answer = game.white.ask(move_request("D2", "D4"));
    CHECK(type_of(answer.at(0)) == "game_end");
    CHECK(answer.back() == failure);
}

TEST_CASE("the flag of a player who has lost the connection falls", "[room_clock]") {
    ClockGame game{30};
    game.white.leave();
    game.black.clear();
    std::this_thread::sleep_for(35ms);
    game.web.io.run_for(100ms);
    CHECK(last_of_type(game.black.received(), "game_end").at("victor") == "black");
}

TEST_CASE("nobody claims the time in a game with clocks", "[room_clock]") {
    ClockGame game{60'000};
    CHECK(game.white.ask(R"({"message_type":"timeout","player":"white"})") == Lines{failure});
}

TEST_CASE("a player cannot change the clocks once both seats are taken", "[room_clock]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient white{room};
    RoomClient black{room};
    white.ask(take_seat_request("white", white_key));
    const std::string clock = R"({"message_type":"clock","white_time":2000,"black_time":3000})";
    CHECK(type_of(white.ask(clock).at(0)) == "clock");
    CHECK(black.ask(clock) == Lines{failure});
    black.ask(take_seat_request("black", black_key));
    CHECK(white.ask(clock) == Lines{failure});
    CHECK(type_of(black.ask(request("clock")).at(0)) == "clock");
}

TEST_CASE("the engine moves within its time", "[room_clock]") {
    WebFixture web;
    RoomClient client{web.games.create(now())};
    client.ask(new_game_with_clocks(1'000));
    client.ask(request("follow_game"));
    for (int ply = 0; ply < 6; ++ply) {
        client.ask(R"({"message_type":"engine_move"})");
        web.run_until([&] { return client.received().size() >= 4; });
        CHECK_FALSE(last_of_type(client.received(), "game").contains("end"));
    }
    const auto clock = last_of_type(client.received(), "game").at("clock");
    CHECK(clock.at("white_time") > 500);
    CHECK(clock.at("black_time") > 500);
}

TEST_CASE("the flag ends the search of the engine whose time is over", "[room_clock]") {
    ClockGame game{40};
    game.white.ask(R"({"message_type":"engine_move","depth":60,"milliseconds":60000})");
    CHECK_FALSE(game.room->is_idle());
    std::this_thread::sleep_for(45ms);
    game.black.clear();
    game.web.io.run_for(100ms);
    CHECK(last_of_type(game.black.received(), "game_end").at("victor") == "black");
    CHECK(game.white.received().front() == failure);
    // The engine's late answer changes nothing.
    game.black.clear();
    CHECK(type_of(game.black.ask(request("get_legal_moveset")).at(1)) == "game_end");
}

TEST_CASE("taking back gives the time back, and the clock runs on", "[room_clock]") {
    WebFixture web;
    RoomClient client{web.games.create(now())};
    client.ask(new_game_with_clocks(60'000));
    client.ask(request("follow_game"));
    client.ask(move_request("E2", "E4"));
    client.ask(move_request("E7", "E5"));
    client.ask(R"({"message_type":"resignation","player":"white"})");
    CHECK_FALSE(last_of_type(client.received(), "game").at("clock").contains("runs"));
    client.ask(move_request("D2", "D4"));
    client.ask(R"({"message_type":"take_back"})");
    CHECK_FALSE(last_of_type(client.received(), "game").at("clock").contains("runs"));
    client.ask(move_request("E7", "E6"));
    CHECK(last_of_type(client.received(), "game").at("clock").at("runs") == "white");
}
