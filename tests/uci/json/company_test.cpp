#include "uci/json/company_request.hpp"
#include "uci/json/company_text.hpp"

#include "tests/uci/json/client.hpp"

using namespace tests;
using namespace uci::json;

namespace {

std::string seat_request(std::string_view player, std::string_view key) {
    return Json{{"message_type", "take_seat"}, {"player", player}, {"key", key}}.dump();
}

}  // namespace

TEST_CASE("requests of those who play together are understood", "[json]") {
    const auto is = [](std::string_view text, auto kind) {
        const auto found = read_company_request(text);
        return found && std::holds_alternative<decltype(kind)>(*found);
    };
    CHECK(is(request("follow_game"), FollowGame{}));
    CHECK(is(request("start_analysis"), StartAnalysis{}));
    CHECK(is(request("stop_analysis"), StopAnalysis{}));
    CHECK(is(R"({"message_type":"leave_seat","player":"black"})", LeaveSeat{core::Color::black}));
    const auto seat = read_company_request(seat_request("white", "0123456789abcdef"));
    REQUIRE(seat);
    const auto* taken = std::get_if<TakeSeat>(&*seat);
    REQUIRE(taken != nullptr);
    CHECK(taken->player == core::Color::white);
    CHECK(taken->key == "0123456789abcdef");
}

TEST_CASE("what is no request of that kind is none", "[json]") {
    const auto text =
        GENERATE(as<std::string>{}, "", "[]", "{}", request("new_game"), request("take_seat"),
                 request("leave_seat"), seat_request("green", "0123456789abcdef"),
                 seat_request("white", "too short"), seat_request("white", std::string(65, 'x')),
                 R"({"message_type":"take_seat","player":"white","key":1234567890123456})");
    CAPTURE(text);
    CHECK_FALSE(read_company_request(text));
}

TEST_CASE("a game is told with everything that shows it", "[json]") {
    Session session;
    said_to(session, move_request("E2", "E4"));
    const std::vector<std::string> played{"e4"};
    const auto told = Json::parse(game("0", session, played, {{true, false}, 2}));
    CHECK(told.at("message_type") == "game");
    CHECK(told.at("id") == "0");
    CHECK(told.at("fen") == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK(told.at("turn") == "black");
    CHECK(told.at("moves").at("G8").dump() == R"(["F6","H6"])");
    CHECK(told.at("played").dump() == R"(["e4"])");
    CHECK(told.at("last_move").dump() == R"({"from":"E2","to":"E4"})");
    CHECK(told.at("thinking") == false);
    CHECK(told.at("seats_taken").dump() == R"(["white"])");
    CHECK(told.at("present") == 2);
    for (const auto* absent : {"check", "promoting", "end"})
        CHECK_FALSE(told.contains(absent));
}

TEST_CASE("a game that is over is told with its end and without moves", "[json]") {
    auto session = session_at("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    said_to(session, move_request("A1", "A8"));
    const auto told = Json::parse(game("0", session, {}, {}));
    CHECK(told.at("moves").empty());
    CHECK(told.at("check").at("king_space") == "H8");
    CHECK(told.at("end").dump() == R"({"victor":"white","reason":"checkmate"})");
}

TEST_CASE("an analysis is told for White and in SAN", "[json]") {
    core::Game game;
    game.play(std::vector<std::string>{"e4"});
    engine::Info info;
    info.depth = 7;
    info.score = 30;
    info.line = {*core::read_move(game.position(), "g8f6")};
    CHECK(analysis(game, info)
          == R"({"message_type":"analysis","ply":1,"depth":7,"score":{"centipawns":-30},)"
             R"("best_move":{"from":"G8","to":"F6"},"line":["Nf6"]})");
    info.score = engine::mate_in(5);
    CHECK(Json::parse(analysis(game, info)).at("score").dump() == R"({"mate_in":-3})");
}

TEST_CASE("the engine moves for the player that is named, or for any", "[json]") {
    const auto ask = [](std::string_view player) {
        Session session;
        const auto step = session.take(
            Json{{"message_type", "engine_move"}, {"depth", 1}, {"player", player}}.dump());
        return std::holds_alternative<engine::Limits>(step);
    };
    CHECK(ask("white"));
    CHECK_FALSE(ask("black"));
    CHECK_FALSE(ask("nobody"));
}
