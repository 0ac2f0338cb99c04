#include "tests/uci/json/web/fixture.hpp"
#include "tests/uci/json/web/room_client.hpp"

using namespace tests;
using namespace uci::json::web;
using uci::json::Session;

namespace {

const std::string white_key = "white's key......";
const std::string black_key = "black's key......";

std::string player_request(std::string_view type, std::string_view player) {
    return Json{{"message_type", type}, {"player", player}}.dump();
}

/// Two players in the same game, who follow it.
struct Players {
    WebFixture web;
    std::shared_ptr<GameRoom> room = web.games.create(std::chrono::steady_clock::now());
    RoomClient white{room};
    RoomClient black{room};

    Players() {
        white.ask(take_seat_request("white", white_key));
        black.ask(take_seat_request("black", black_key));
        white.ask(request("follow_game"));
        black.ask(request("follow_game"));
    }
    void play_first_moves() {
        white.ask(move_request("E2", "E4"));
        black.ask(move_request("E7", "E5"));
    }
    /// The last message "game" that a client has received.
    static Json game_for(const RoomClient& client) {
        const auto& lines = client.received();
        const auto found = std::find_if(lines.rbegin(), lines.rend(),
                                        [](const auto& line) { return type_of(line) == "game"; });
        REQUIRE(found != lines.rend());
        return Json::parse(*found);
    }
};

/// White's and Black's moves there and back, so many.
void shuffle(RoomClient& white, RoomClient& black, int moves) {
    for (int i = 0; i < moves; ++i) {
        const bool out = i % 2 == 0;
        white.ask(out ? move_request("G1", "F3") : move_request("F3", "G1"));
        black.ask(out ? move_request("G8", "F6") : move_request("F6", "G8"));
    }
}

}  // namespace

TEST_CASE("a draw is offered to the other player, who accepts it", "[offers]") {
    Players players;
    CHECK(players.white.ask(player_request("offer_draw", "white")) == Lines{failure});
    players.play_first_moves();
    const auto answer = players.white.ask(player_request("offer_draw", "white"));
    CHECK(answer.at(0) == R"({"message_type":"draw_offered","player":"white"})");
    CHECK(Players::game_for(players.black).at("draw_offer") == "white");
    CHECK(players.white.ask(player_request("accept_draw", "white")) == Lines{failure});
    CHECK(players.white.ask(player_request("accept_draw", "black")) == Lines{failure});
    const std::string end = R"({"message_type":"game_end","victor":"draw","reason":"agreement"})";
    CHECK(players.black.ask(player_request("accept_draw", "black")).at(0) == end);
    CHECK(std::count(players.white.received().begin(), players.white.received().end(), end) == 1);
    CHECK_FALSE(Players::game_for(players.black).contains("draw_offer"));
    CHECK(players.black.ask(player_request("accept_draw", "black")) == Lines{failure});
}

TEST_CASE("a declined draw is offered again after another own move only", "[offers]") {
    Players players;
    players.play_first_moves();
    players.white.ask(player_request("offer_draw", "white"));
    const auto answer = players.black.ask(player_request("decline_draw", "black"));
    CHECK(answer.at(0) == R"({"message_type":"draw_declined","player":"black"})");
    CHECK_FALSE(Players::game_for(players.white).contains("draw_offer"));
    CHECK(players.white.ask(player_request("offer_draw", "white")) == Lines{failure});
    players.white.ask(move_request("G1", "F3"));
    CHECK(type_of(players.white.ask(player_request("offer_draw", "white")).at(0))
          == "draw_offered");
    CHECK(players.white.ask(player_request("offer_draw", "white")) == Lines{failure});
}

TEST_CASE("an offer ends when the other player moves, not by a move of its own", "[offers]") {
    Players players;
    players.play_first_moves();
    players.white.ask(player_request("offer_draw", "white"));
    players.white.ask(move_request("G1", "F3"));
    CHECK(Players::game_for(players.black).at("draw_offer") == "white");
    players.black.ask(move_request("G8", "F6"));
    CHECK_FALSE(Players::game_for(players.black).contains("draw_offer"));
    CHECK(players.black.ask(player_request("accept_draw", "black")) == Lines{failure});
}

TEST_CASE("who offers a draw back accepts it", "[offers]") {
    Players players;
    players.play_first_moves();
    players.white.ask(player_request("offer_draw", "white"));
    CHECK(type_of(players.black.ask(player_request("offer_draw", "black")).at(0)) == "game_end");
}

TEST_CASE("only players offer and answer", "[offers]") {
    Players players;
    players.play_first_moves();
    RoomClient spectator{players.room};
    players.white.ask(player_request("offer_draw", "white"));
    for (const auto* type : {"offer_draw", "accept_draw", "decline_draw"})
        CHECK(spectator.ask(player_request(type, "black")) == Lines{failure});
    players.white.ask(player_request("resignation", "white"));
    players.white.ask(player_request("offer_rematch", "white"));
    for (const auto* type : {"offer_rematch", "accept_rematch", "decline_rematch"})
        CHECK(spectator.ask(player_request(type, "black")) == Lines{failure});
}

TEST_CASE("the offer of a draw ends with a move taken back", "[offers]") {
    Session session;
    PlayerOffers offers;
    for (const auto& move : {move_request("E2", "E4"), move_request("E7", "E5")})
        messages_after(session, move);
    REQUIRE(offers.offer_draw(core::Color::white, session));
    CHECK(offers.draw() == core::Color::white);
    messages_after(session, R"({"message_type":"take_back"})");
    offers.follow(session);
    CHECK_FALSE(offers.draw());
}

TEST_CASE("the engine accepts a draw from move 20 on if it is not better", "[offers]") {
    const auto at_move = [](int number) {
        return session_at("4k3/8/8/8/8/8/8/4K2R w - - 0 " + std::to_string(number))
            .game()
            .position();
    };
    CHECK(engine_accepts_draw(at_move(20), 0));
    CHECK(engine_accepts_draw(at_move(40), -150));
    CHECK_FALSE(engine_accepts_draw(at_move(19), -150));
    CHECK_FALSE(engine_accepts_draw(at_move(20), 1));
    CHECK_FALSE(engine_accepts_draw(at_move(20), std::nullopt));
}

TEST_CASE("the engine answers an offer at once, by the score of its last move", "[offers]") {
    const auto [fen, from, expected] = GENERATE(table<std::string, std::string, std::string>(
        {{"7k/8/8/8/8/8/8/KQR5 w - - 0 30", "A1", "game_end"},          // White is better
         {"kqr5/8/8/8/8/8/8/7K w - - 0 30", "H1", "draw_declined"},     // the engine is
         {"7k/8/8/8/8/8/8/KQR5 w - - 0 10", "A1", "draw_declined"}}));  // it is too early
    CAPTURE(fen);
    WebFixture web;
    RoomClient client{web.games.create(std::chrono::steady_clock::now())};
    client.ask(new_game_request(fen));
    client.ask(take_seat_request("white", white_key));
    client.ask(take_seat_request("black", white_key));
    const std::string offer = R"({"message_type":"offer_draw","player":"white","to":"engine"})";
    const std::string to = from == "A1" ? "A2" : "G1";
    client.ask(move_request(from, to));
    CHECK(client.ask(offer) == Lines{failure});
    client.ask(R"({"message_type":"engine_move","depth":4})");
    web.run_until([&] { return client.received().size() >= 2; });
    const auto answer = client.ask(offer);
    CHECK(type_of(answer.at(0)) == expected);
    CHECK(client.ask(offer) == Lines{failure});
}

TEST_CASE("without a move of the engine there is no score, and it declines", "[offers]") {
    Players players;
    players.play_first_moves();
    shuffle(players.white, players.black, 3);
    CHECK(players.white.ask(R"({"message_type":"offer_draw","player":"white","to":"engine"})")
          == Lines{failure});
    players.black.ask(player_request("leave_seat", "black"));
    CHECK(
        type_of(players.white.ask(R"({"message_type":"offer_draw","player":"white","to":"engine"})")
                    .at(0))
        == "draw_declined");
}

TEST_CASE("a rematch is agreed after the end, with colours changed", "[offers]") {
    Players players;
    CHECK(players.white.ask(player_request("offer_rematch", "white")) == Lines{failure});
    players.play_first_moves();
    players.white.ask(player_request("resignation", "white"));
    const auto offered = players.white.ask(player_request("offer_rematch", "white"));
    CHECK(offered.at(0) == R"({"message_type":"rematch_offered","player":"white"})");
    CHECK(Players::game_for(players.black).at("rematch_offer") == "white");
    CHECK(type_of(players.black.ask(player_request("accept_rematch", "black")).at(0))
          == "next_legal_moveset");
    const auto seen = Players::game_for(players.white);
    CHECK(seen.at("rematches") == 1);
    CHECK(seen.at("played").empty());
    CHECK_FALSE(seen.contains("rematch_offer"));
    CHECK(players.white.ask(move_request("E2", "E4")) == Lines{failure});
    CHECK(type_of(players.black.ask(move_request("E2", "E4")).at(0)) == "next_legal_moveset");
    CHECK(type_of(players.white.ask(move_request("E7", "E5")).at(0)) == "next_legal_moveset");
}

TEST_CASE("a rematch is declined, and offered by each player once", "[offers]") {
    Players players;
    players.white.ask(player_request("resignation", "white"));
    players.white.ask(player_request("offer_rematch", "white"));
    const auto declined = players.black.ask(player_request("decline_rematch", "black"));
    CHECK(declined.at(0) == R"({"message_type":"rematch_declined","player":"black"})");
    CHECK(players.black.ask(player_request("accept_rematch", "black")) == Lines{failure});
    CHECK(players.white.ask(player_request("offer_rematch", "white")) == Lines{failure});
    CHECK(type_of(players.black.ask(player_request("offer_rematch", "black")).at(0))
          == "rematch_offered");
    CHECK(type_of(players.white.ask(player_request("offer_rematch", "white")).at(0))
          == "next_legal_moveset");
}

TEST_CASE("in a rematch the players keep their times and the position", "[offers]") {
    WebFixture web;
    RoomClient client{web.games.create(std::chrono::steady_clock::now())};
    const std::string fen = "4k3/8/8/8/8/8/P7/4K3 b - - 0 1";
    client.ask(R"({"message_type":"new_game","fen":")" + fen
               + R"(","white_time":1000,"black_time":2000,"black_increment":5})");
    client.ask(take_seat_request("white", white_key));
    client.ask(take_seat_request("black", white_key));
    client.ask(request("follow_game"));
    client.ask(player_request("resignation", "white"));
    // Who plays both colours, as against the engine, needs nobody else.
    CHECK(type_of(client.ask(player_request("offer_rematch", "white")).at(0))
          == "next_legal_moveset");
    const auto seen = Players::game_for(client);
    CHECK(seen.at("fen") == fen);
    CHECK(seen.at("clock").dump()
          == R"({"white_time":2000,"black_time":1000,"white_increment":5,"black_increment":0,)"
             R"("white_base":2000,"black_base":1000,"left":[]})");
}

TEST_CASE("offers are read with their player", "[offers]") {
    const auto offer =
        read_room_request(R"({"message_type":"offer_draw","player":"black","to":"engine"})");
    REQUIRE(offer);
    const auto* draw = std::get_if<OfferDraw>(&*offer);
    REQUIRE(draw != nullptr);
    CHECK(draw->player == core::Color::black);
    CHECK(draw->to_engine);
    for (const std::string wrong : {R"("player":"black","to":"me")", R"("player":"black","to":1)",
                                    R"("player":"red")", R"("to":"engine")"})
        CHECK_FALSE(read_room_request(R"({"message_type":"offer_draw",)" + wrong + "}"));
    for (const auto* type :
         {"accept_draw", "decline_draw", "offer_rematch", "accept_rematch", "decline_rematch"}) {
        CHECK(read_room_request(player_request(type, "white")));
        CHECK_FALSE(read_room_request(request(type)));
    }
}
