#include "uci/json/web/room_messages.hpp"

#include <array>

#include "core/fen.hpp"

#include "uci/json/web/limits.hpp"
#include "uci/json/web/room_request.hpp"

#include "tests/uci/json/client.hpp"

using namespace tests;
using namespace uci::json;
using namespace uci::json::web;

namespace {

std::string take_seat_request(std::string_view player, std::string_view key) {
    return Json{{"message_type", "take_seat"}, {"player", player}, {"key", key}}.dump();
}

}  // namespace

TEST_CASE("room requests are parsed with their members", "[json]") {
    const auto is = [](std::string_view text, auto kind) {
        const auto found = read_room_request(text);
        return found && std::holds_alternative<decltype(kind)>(*found);
    };
    CHECK(is(request("follow_game"), FollowGame{}));
    CHECK(is(request("start_analysis"), StartAnalysis{}));
    CHECK(is(request("stop_analysis"), StopAnalysis{}));
    CHECK(is(R"({"message_type":"leave_seat","player":"black"})", LeaveSeat{core::Color::black}));
    const auto found = read_room_request(take_seat_request("white", "0123456789abcdef"));
    REQUIRE(found);
    const auto* seat = std::get_if<TakeSeat>(&*found);
    REQUIRE(seat != nullptr);
    CHECK(seat->player == core::Color::white);
    CHECK(seat->key == "0123456789abcdef");
}

TEST_CASE("other messages are not room requests", "[json]") {
    const auto text = GENERATE(
        as<std::string>{}, "", "[]", "{}", request("new_game"), request("take_seat"),
        request("leave_seat"), take_seat_request("green", "0123456789abcdef"),
        take_seat_request("white", "too short"), take_seat_request("white", std::string(65, 'x')),
        R"({"message_type":"take_seat","player":"white","key":1234567890123456})");
    CAPTURE(text);
    CHECK_FALSE(read_room_request(text));
}

TEST_CASE("a game message holds everything that is shown", "[json]") {
    Session session;
    messages_after(session, move_request("E2", "E4"));
    const std::vector<std::string> played{"e4"};
    const auto message = Json::parse(game_message("0", session, played, {{true, false}, 2}));
    CHECK(message.at("message_type") == "game");
    CHECK(message.at("id") == "0");
    CHECK(message.at("fen") == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK(message.at("turn") == "black");
    CHECK(message.at("moves").at("G8").dump() == R"(["F6","H6"])");
    CHECK(message.at("played").dump() == R"(["e4"])");
    CHECK(message.at("last_move").dump() == R"({"from":"E2","to":"E4"})");
    CHECK(message.at("opening").dump() == R"({"eco":"B00","name":"King's Pawn Game"})");
    CHECK(message.at("thinking") == false);
    CHECK(message.at("seats_taken").dump() == R"(["white"])");
    CHECK(message.at("present") == 2);
    for (const auto* absent : {"check", "promoting", "end", "start_fen"})
        CHECK_FALSE(message.contains(absent));
}

TEST_CASE("the message of a finished game has its end and no moves", "[json]") {
    auto session = session_at("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    messages_after(session, move_request("A1", "A8"));
    const auto message = Json::parse(game_message("0", session, {}, {}));
    CHECK(message.at("start_fen") == "7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    CHECK_FALSE(message.contains("opening"));
    CHECK(message.at("moves").empty());
    CHECK(message.at("check").at("king_space") == "H8");
    CHECK(message.at("end").dump() == R"({"victor":"white","reason":"checkmate"})");
}

TEST_CASE("an analysis has its score for White and its moves in SAN", "[json]") {
    core::Game game;
    REQUIRE(game.play(std::vector<std::string>{"e4"}));
    engine::Info info;
    info.depth = 7;
    info.score = 30;
    info.pv = {*core::read_move(game.position(), "g8f6")};
    CHECK(analysis_message(game, {{info}}, 1)
          == R"({"message_type":"analysis","ply":1,"depth":7,"score":{"centipawns":-30},)"
             R"("best_move":{"from":"G8","to":"F6"},"line":["Nf6"]})");
    info.score = engine::mate_in(5);
    CHECK(Json::parse(analysis_message(game, {{info}}, 1)).at("score").dump()
          == R"({"mate_in":-3})");
}

TEST_CASE("an analysis has as many lines as are wanted, the best first", "[json]") {
    const core::Game game;
    std::vector<engine::Info> pvs(3);
    for (std::size_t rank = 0; rank < pvs.size(); ++rank) {
        const auto* const text = std::array{"e2e4", "d2d4", "g1f3"}.at(rank);
        pvs[rank].depth = 9;
        pvs[rank].score = 30 - static_cast<int>(rank);
        pvs[rank].pv = {*core::read_move(game.position(), text)};
    }
    const auto two = Json::parse(analysis_message(game, pvs, 2));
    CHECK(two.at("line").dump() == R"(["e4"])");
    REQUIRE(two.at("lines").size() == 2);
    CHECK(two["lines"][0].at("line") == two["line"]);
    CHECK(
        two["lines"][1].dump()
        == R"({"depth":9,"score":{"centipawns":29},"best_move":{"from":"D2","to":"D4"},"line":["d4"]})");
    CHECK(Json::parse(analysis_message(game, pvs, 5)).at("lines").size() == 3);
    CHECK_FALSE(Json::parse(analysis_message(game, pvs, 1)).contains("lines"));
}

TEST_CASE("an engine move may name the player to move", "[json]") {
    const auto starts_search = [](std::string_view player) {
        Session session;
        const auto result = session.handle_message(
            Json{{"message_type", "engine_move"}, {"depth", 1}, {"player", player}}.dump());
        return std::holds_alternative<engine::Limits>(result);
    };
    CHECK(starts_search("white"));
    CHECK_FALSE(starts_search("black"));
    CHECK_FALSE(starts_search("nobody"));
}

TEST_CASE("positions come with the moves that led there, from the one asked for", "[json]") {
    core::Game game;
    REQUIRE(game.play(std::vector<std::string>{"e4", "e5", "Nf3"}));
    const auto all = Json::parse(positions_message(game, 0));
    CHECK(all.at("from") == 0);
    REQUIRE(all.at("positions").size() == 4);
    CHECK(all["positions"][0].at("fen") == core::fen(core::Position::start()));
    CHECK_FALSE(all["positions"][0].contains("last_move"));
    CHECK(all["positions"][3].at("fen") == core::fen(game.position()));
    CHECK(all["positions"][3].at("last_move").dump() == R"({"from":"G1","to":"F3"})");
    const auto rest = Json::parse(positions_message(game, 3));
    REQUIRE(rest.at("positions").size() == 1);
    CHECK(rest["positions"][0] == all["positions"][3]);
}

TEST_CASE("positions of a line come with its moves, if they are legal", "[json]") {
    core::Game game;
    REQUIRE(game.play(std::vector<std::string>{"e4", "e5"}));
    const auto text = line_positions_message(game, 1, "c5 Nf3");
    REQUIRE(text);
    const auto message = Json::parse(*text);
    CHECK(message.at("from") == 1);
    CHECK(message.at("line") == "c5 Nf3");
    REQUIRE(message.at("positions").size() == 3);
    CHECK(message["positions"][0].at("last_move").dump() == R"({"from":"E2","to":"E4"})");
    CHECK(message["positions"][2].at("fen")
          == "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    CHECK(message["positions"][2].at("last_move").dump() == R"({"from":"G1","to":"F3"})");
    CHECK_FALSE(line_positions_message(game, 2, "c5"));
    CHECK_FALSE(line_positions_message(game, 0, "e4 nonsense"));
    std::string long_line;
    for (std::size_t ply = 0; ply < max_positions; ++ply)
        long_line += std::array{"Nc3 ", "Nc6 ", "Nb1 ", "Nb8 "}.at(ply % 4);
    CHECK_FALSE(line_positions_message(game, 2, long_line));
    long_line.resize(long_line.size() - 4);
    CHECK(line_positions_message(game, 2, long_line));
}

TEST_CASE("the positions in one message are limited", "[json]") {
    core::Game game;
    const std::vector<std::string> cycle{"Nf3", "Nf6", "Ng1", "Ng8"};
    for (std::size_t ply = 0; ply < max_positions + 8; ++ply)
        REQUIRE(game.play(std::vector<std::string>{cycle[ply % 4]}));
    CHECK(Json::parse(positions_message(game, 5)).at("positions").size() == max_positions);
    CHECK(Json::parse(positions_message(game, 10)).at("positions").size() == max_positions - 1);
}
