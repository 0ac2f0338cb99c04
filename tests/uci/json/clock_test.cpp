#include <thread>

#include "tests/uci/json/client.hpp"

using namespace tests;
using namespace std::chrono_literals;
using uci::json::Audience;
using uci::json::Session;

namespace {

std::string clock_request(int white, int black, int increment = 0) {
    return Json{{"message_type", "clock"},
                {"white_time", white},
                {"black_time", black},
                {"white_increment", increment},
                {"black_increment", increment}}
        .dump();
}

/// After both first moves, in a game with so many milliseconds for each.
Session session_with_clocks(int milliseconds, int increment = 0) {
    Session session;
    messages_after(session, clock_request(milliseconds, milliseconds, increment));
    messages_after(session, move_request("E2", "E4"));
    messages_after(session, move_request("E7", "E5"));
    return session;
}

Json clock_of(Session& session) {
    return Json::parse(messages_after(session, request("clock")).at(0));
}

}  // namespace

TEST_CASE("a game gets clocks before its first move, by a request or with a new game", "[clock]") {
    Session session;
    CHECK(messages_after(session, request("clock")) == std::vector{failure});
    const auto answer = answer_to(session, clock_request(300'000, 60'000, 2'000));
    CHECK(answer.audience == Audience::sender);
    const std::string clock = R"("white_time":300000,"black_time":60000,)"
                              R"("white_increment":2000,"black_increment":2000)";
    CHECK(answer.messages == std::vector{R"({"message_type":"clock",)" + clock + "}"});
    messages_after(session, move_request("E2", "E4"));
    CHECK(messages_after(session, clock_request(1'000, 1'000)) == std::vector{failure});
    messages_after(session, R"({"message_type":"new_game",)" + clock + "}");
    CHECK(clock_of(session).at("black_time") == 60'000);
    messages_after(session, request("new_game"));
    CHECK(messages_after(session, request("clock")) == std::vector{failure});
}

TEST_CASE("a wrong time control is refused", "[clock]") {
    const std::string members = GENERATE(
        as<std::string>{}, R"("white_time":1000)", R"("black_time":1000)",
        R"("white_increment":1000,"black_increment":1000)", R"("white_time":0,"black_time":0)",
        R"("white_time":1000,"black_time":-1)", R"("white_time":"1000","black_time":"1000")",
        R"("white_time":43200001,"black_time":1000)",
        R"("white_time":1000,"black_time":1000,"white_increment":600001)",
        R"("white_time":1000,"black_time":1000,"black_increment":0.5)");
    const auto* type = GENERATE("clock", "new_game");
    const auto message = R"({"message_type":")" + std::string{type} + R"(",)" + members + "}";
    CAPTURE(message);
    Session session;
    CHECK(messages_after(session, message) == std::vector{failure});
    CHECK(messages_after(session, clock_request(43'200'000, 1, 600'000)).at(0) != failure);
}

TEST_CASE("the clock runs from the second move on, and a move adds the increment", "[clock]") {
    auto session = session_with_clocks(600'000, 5'000);
    CHECK(clock_of(session).at("runs") == "white");
    messages_after(session, move_request("D2", "D4"));
    const auto clock = clock_of(session);
    CHECK(clock.at("runs") == "black");
    CHECK(clock.at("white_time") > 600'000);
    CHECK(clock.at("white_time") <= 605'000);
    CHECK(clock.at("black_time") <= 600'000);
    messages_after(session, R"({"message_type":"take_back"})");
    CHECK(clock_of(session).at("runs") == "white");
    CHECK(clock_of(session).at("white_time") <= 600'000);
    messages_after(session, R"({"message_type":"take_back"})");
    CHECK_FALSE(clock_of(session).contains("runs"));
}

TEST_CASE("the end of a game stops its clocks, and so does loading another one", "[clock]") {
    auto session = session_with_clocks(600'000);
    messages_after(session, R"({"message_type":"resignation","player":"white"})");
    CHECK_FALSE(clock_of(session).contains("runs"));
    messages_after(session, R"({"message_type":"load_pgn","pgn":"1. e4 e5"})");
    CHECK(messages_after(session, request("clock")) == std::vector{failure});
}

TEST_CASE("a flag falls without a claim, and only the clock ends such a game by time", "[clock]") {
    auto session = session_with_clocks(400);
    CHECK(messages_after(session, R"({"message_type":"timeout","player":"black"})")
          == std::vector{failure});
    std::this_thread::sleep_for(405ms);
    const auto end = session.end_by_clock();
    REQUIRE(end);
    CHECK(end->audience == Audience::everyone);
    CHECK(end->messages
          == std::vector<std::string>{
              R"({"message_type":"game_end","victor":"black","reason":"timeout"})"});
    CHECK(session.is_over());
    CHECK_FALSE(session.end_by_clock());
    CHECK(clock_of(session).at("white_time") == 0);
}

TEST_CASE("the flag is a draw when the other player cannot mate", "[clock]") {
    auto session = session_at("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    messages_after(session, clock_request(400, 400));
    messages_after(session, move_request("A2", "A3"));
    messages_after(session, move_request("E8", "E7"));
    std::this_thread::sleep_for(405ms);
    const auto end = session.end_by_clock();
    REQUIRE(end);
    CHECK(Json::parse(end->messages.at(0)).at("reason") == "timeout_insufficient_material");
    CHECK(session.ending()->victor == std::nullopt);
}

TEST_CASE("the engine's search is limited by the clocks, and its late move is rejected",
          "[clock]") {
    auto session = session_with_clocks(400, 5);
    const auto result = session.handle_message(R"({"message_type":"engine_move"})");
    const auto* limits = std::get_if<engine::Limits>(&result);
    REQUIRE(limits != nullptr);
    CHECK(limits->clocks[0].time <= 400ms);
    CHECK(limits->clocks[1].time == 400ms);
    CHECK(limits->clocks[1].increment == 5ms);
    CHECK(limits->movetime == uci::json::max_think_time);
    std::this_thread::sleep_for(405ms);
    REQUIRE(session.end_by_clock());
    CHECK(session.is_thinking());
    const auto answer = session.finish(engine::BestMove{
        core::Move::normal(*core::Square::read("d2"), *core::Square::read("d4")), {}, {}, {}});
    CHECK(answer.messages == std::vector{failure});
    CHECK(session.is_over());
    CHECK(session.game().moves().size() == 2);
}

TEST_CASE("a limit of a request for a move counts beside the clocks", "[clock]") {
    auto session = session_with_clocks(60'000);
    const auto result =
        session.handle_message(R"({"message_type":"engine_move","milliseconds":50})");
    const auto* limits = std::get_if<engine::Limits>(&result);
    REQUIRE(limits != nullptr);
    CHECK(limits->movetime == 50ms);
    CHECK(limits->clocks[0].time);
}
