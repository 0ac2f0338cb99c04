#include "uci/json/web/game_room.hpp"

#include <algorithm>
#include <array>
#include <deque>

#include "uci/json/response.hpp"
#include "uci/json/web/limits.hpp"

#include "tests/uci/json/web/fixture.hpp"
#include "tests/uci/json/web/room_client.hpp"

using namespace tests;
using namespace uci::json::web;

namespace {

GameRoom::Time now() {
    return std::chrono::steady_clock::now();
}

// Longer than any test.
const std::string hint_request = R"({"message_type":"hint","milliseconds":60000})";
const std::string long_engine_request = R"({"message_type":"engine_move","milliseconds":60000})";
const std::string engine_request = R"({"message_type":"engine_move","depth":1})";

}  // namespace

TEST_CASE("everybody receives an answer, only the sender a failure", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient white{room};
    RoomClient black{room};
    const auto answer = white.ask(move_request("E2", "E4"));
    REQUIRE(answer.size() == 1);
    CHECK(black.received() == answer);
    black.clear();
    CHECK(white.ask(move_request("E2", "E4")) == Lines{failure});
    CHECK(black.received().empty());
}

TEST_CASE("a client that has left receives nothing", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient white{room};
    RoomClient black{room};
    black.leave();
    white.ask(move_request("E2", "E4"));
    CHECK(black.received().empty());
}

TEST_CASE("an HTTP request may move, but not follow or take a seat", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    Lines received;
    const auto reply = [&](const uci::json::Answer& answer) { received = answer.messages; };
    room->handle_message({}, move_request("E2", "E4"), reply);
    CHECK(client.received() == received);
    room->handle_message({}, take_seat_request("white", "0123456789abcdef"), reply);
    CHECK(received == Lines{failure});
    room->handle_message({}, request("follow_game"), reply);
    CHECK(received == Lines{failure});
}

TEST_CASE("followers receive the game whenever it has changed", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    CHECK(client.ask(request("follow_game")).size() == 1);
    CHECK(type_of(client.received().at(0)) == "game");
    CHECK(client.ask(request("get_legal_moveset")).size() == 1);
    CHECK(client.ask(move_request("E2", "E5")) == Lines{failure});
    REQUIRE(client.ask(move_request("E2", "E4")).size() == 2);
    CHECK(Json::parse(client.received().at(1)).at("played").dump() == R"(["e4"])");
    client.clear();
    RoomClient other{room};
    REQUIRE(client.received().size() == 1);
    CHECK(Json::parse(client.received().at(0)).at("present") == 2);
    CHECK(other.received().empty());
}

TEST_CASE("followers see a pending promotion", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.ask(new_game_request("8/P6k/8/8/8/8/8/K7 w - - 0 1"));
    client.ask(request("follow_game"));
    REQUIRE(client.ask(move_request("A7", "A8")).size() == 2);
    const auto seen = Json::parse(client.received().at(1));
    CHECK(seen.at("promoting").dump() == R"({"from":"A7","to":"A8"})");
}

TEST_CASE("requests wait during a search, up to a limit", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    CHECK(client.ask(engine_request).empty());
    CHECK_FALSE(room->is_idle());
    for (std::size_t i = 0; i < max_pending_requests; ++i)
        client.send(request("get_legal_moveset"));
    CHECK(client.received().empty());
    client.send(request("get_legal_moveset"));
    CHECK(client.received() == Lines{failure});
    client.clear();
    web.run_until([&] { return client.received().size() == 2 + max_pending_requests; });
    CHECK(type_of(client.received().at(0)) == "engine_move");
    CHECK(client.received().at(1) == client.received().back());
}

TEST_CASE("a game with a running search does not expire", "[game_room]") {
    WebFixture web;
    bool answered = false;
    web.games.create(now())->handle_message({}, engine_request,
                                            [&](const uci::json::Answer&) { answered = true; });
    const auto later = now() + 2 * max_idle_time;
    web.games.remove_expired(later);
    REQUIRE(web.games.size() == 1);
    web.run_until([&] { return answered; });
    web.games.remove_expired(later);
    CHECK(web.games.size() == 0);
}

TEST_CASE("a game expires when it has been idle for long enough", "[game_room]") {
    WebFixture web;
    const auto id = web.games.create(now())->id();
    web.games.remove_expired(now() + max_idle_time - std::chrono::minutes{1});
    REQUIRE(web.games.find(id));
    {
        RoomClient client{web.games.find(id)};
        web.games.remove_expired(now() + 2 * max_idle_time);
        REQUIRE(web.games.find(id));
        client.leave();
    }
    web.games.remove_expired(now() + 2 * max_idle_time);
    CHECK_FALSE(web.games.find(id));
}

TEST_CASE("a game in which nothing was granted is removed", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.ask("nonsense");
    web.games.remove_if_unused(room->id());
    CHECK(web.games.size() == 1);
    client.leave();
    web.games.remove_if_unused(room->id());
    CHECK(web.games.size() == 0);
}

TEST_CASE("games without a move make room for new ones first", "[game_room]") {
    WebFixture web;
    GameRegistry games{{web.queue}, 3};
    const auto played = games.create(now());
    {
        RoomClient client{played};
        client.ask(move_request("E2", "E4"));
        client.leave();
    }
    const auto first = games.create(now())->id();
    const auto second = games.create(now())->id();
    CHECK_FALSE(games.create(now()));
    const auto later = now() + min_idle_time_without_move + std::chrono::seconds{1};
    const auto third = games.create(later);
    REQUIRE(third);
    CHECK(games.size() == 3);
    CHECK(games.find(played->id()));
    CHECK_FALSE(games.find(first));
    CHECK(games.find(second));
}

TEST_CASE("a game with moves makes room only when it has been idle for long", "[game_room]") {
    WebFixture web;
    GameRegistry games{{web.queue}, 1};
    const auto played = games.create(now());
    RoomClient client{played};
    client.ask(move_request("E2", "E4"));
    CHECK_FALSE(games.create(now() + min_idle_time + std::chrono::seconds{10}));
    client.leave();
    CHECK_FALSE(games.create(now() + min_idle_time - std::chrono::seconds{10}));
    CHECK(games.create(now() + min_idle_time + std::chrono::seconds{20}));
    CHECK(games.size() == 1);
}

TEST_CASE("the number of clients of a game is limited", "[game_room]") {
    WebFixture web;
    GameRoom room{"0", {web.queue}};
    for (std::size_t i = 0; i < max_participants; ++i)
        REQUIRE(room.join([](const std::string&) {}) != GameRoom::no_participant);
    CHECK(room.is_full());
    CHECK(room.join([](const std::string&) {}) == GameRoom::no_participant);
}

namespace {

const std::string review_request = R"({"message_type":"start_review","white":"Ann","black":"Bob"})";

void play_to_mate(RoomClient& client) {
    for (const auto& [from, to] : {std::pair{"F2", "F3"}, {"E7", "E5"}, {"G2", "G4"}, {"D8", "H4"}})
        client.send(move_request(from, to));
}

std::string state_of_review(const Lines& messages) {
    const auto json = Json::parse(messages.back());
    return json.at("message_type") == "review" ? json.at("state") : "";
}

}  // namespace

TEST_CASE("a game is reviewed when it is over, and followers hear of it", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient player{room};
    RoomClient follower{room};
    RoomClient other{room};
    follower.ask(request("follow_game"));
    CHECK(player.ask(review_request) == Lines{failure});  // there is no move
    play_to_mate(player);
    follower.clear();
    other.clear();
    const auto answer = player.ask(review_request);
    REQUIRE(answer.size() == 1);
    CHECK(
        answer.front()
        == R"({"message_type":"review","state":"running","step":"positions","done":0,"total":5})");
    CHECK(state_of_review(other.ask(review_request)) == "running");
    other.clear();
    web.run_until([&] { return web.reviews.has(room->id()); });
    CHECK(state_of_review(follower.received()) == "ready");
    CHECK(Json::parse(follower.received().back()).at("accuracy").contains("white"));
    CHECK(other.received().empty());
    CHECK(state_of_review(player.ask(review_request)) == "ready");
    CHECK(web.reviews.find(room->id())->json == "5");
}

TEST_CASE("a review is forgotten when the game goes on", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient player{room};
    play_to_mate(player);
    const bool is_finished = GENERATE(true, false);
    CHECK(state_of_review(player.ask(review_request)) == "running");
    if (is_finished)
        web.run_until([&] { return web.reviews.has(room->id()); });
    player.ask(R"({"message_type":"take_back","plies":1})");
    CHECK_FALSE(web.reviews.has(room->id()));
    player.ask(move_request("D8", "H4"));
    CHECK(state_of_review(player.ask(review_request)) == "running");
}

TEST_CASE("a game that goes on is reviewed for a player without an opponent alone", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient white{room};
    RoomClient black{room};
    white.ask(R"({"message_type":"load_pgn","pgn":"1. e4 e5 2. Qh5"})");
    CHECK(state_of_review(black.ask(review_request)) == "running");
    white.ask(move_request("B8", "C6"));
    white.ask(take_seat_request("white", std::string(16, 'w')));
    CHECK(black.ask(review_request) == Lines{failure});
    CHECK(state_of_review(white.ask(review_request)) == "running");
    white.ask(move_request("H5", "F7"));
    black.ask(take_seat_request("black", std::string(16, 'b')));
    CHECK(white.ask(review_request) == Lines{failure});
    CHECK(black.ask(review_request) == Lines{failure});
}

TEST_CASE("a PGN does not wait while the engine searches a move", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.send(R"({"message_type":"engine_move","milliseconds":60000})");
    CHECK(client.ask(R"({"message_type":"load_pgn","pgn":"1. e4"})") == Lines{failure});
}

TEST_CASE("positions beyond the end of a game are refused", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.send(move_request("E2", "E4"));
    const auto answer = client.ask(R"({"message_type":"get_positions","from":1})");
    REQUIRE(answer.size() == 1);
    CHECK(type_of(answer.front()) == "positions");
    CHECK(client.ask(R"({"message_type":"get_positions","from":2})") == Lines{failure});
}

TEST_CASE("a game without moves is not reviewed", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient player{room};
    player.ask(R"({"message_type":"resignation","player":"white"})");
    CHECK(player.ask(review_request) == Lines{failure});
}

TEST_CASE("a room without the service refuses reviews", "[game_room]") {
    WebFixture web;
    GameRoom without_reviews{"0", {web.queue}};
    const auto number = without_reviews.join([](const std::string&) {});
    Lines received;
    without_reviews.handle_message({number, {}}, review_request,
                                   [&](const auto& answer) { received = answer.messages; });
    CHECK(received == Lines{failure});
}

TEST_CASE("a move is explained to the client that asks, of a finished game too", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    RoomClient other{room};
    const bool is_over = GENERATE(false, true);
    if (is_over)
        play_to_mate(client);
    else
        client.send(move_request("F2", "F3"));
    client.clear();
    other.clear();
    client.send(R"({"message_type":"explain","ply":0})");
    CHECK(client.received().empty());
    web.run_until([&] { return !client.received().empty(); });
    CHECK(type_of(client.received().front()) == "explanation");
    CHECK(other.received().empty());
}

TEST_CASE("an explanation is given up when the game goes on", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.send(R"({"message_type":"explain"})");
    client.send(move_request("E2", "E4"));
    REQUIRE(client.received().size() == 2);
    CHECK(std::count(client.received().begin(), client.received().end(), failure) == 1);
}

TEST_CASE("only the last reviews are kept", "[game_room]") {
    WebFixture web;
    GameReviews reviews{web.queue,
                        [](const auto&, const auto&, const auto&, auto) {
                            return ReviewDocuments{std::string(60, 'p'), std::string(40, 'j')};
                        },
                        250};
    core::Game game;
    REQUIRE(game.play(std::vector<std::string>{"e4"}));
    for (const std::string id : {"1", "2", "3"}) {
        REQUIRE(reviews.start({id, "", game, "1-0", {"White", "Black"}}, [](const auto&) {}));
        web.run_until([&] { return reviews.has(id); });
    }
    CHECK_FALSE(reviews.has("1"));
    CHECK(reviews.has("2"));
    reviews.remove("2");
    reviews.remove("2");
    CHECK_FALSE(reviews.has("2"));
    CHECK(reviews.find("3")->json.size() == 40);
}

TEST_CASE("a move does not wait for hints, and ends them", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient player{room};
    RoomClient other{room};
    for (std::size_t i = 0; i < max_hints; ++i)
        other.send(hint_request);
    CHECK(other.received().empty());
    CHECK(other.ask(hint_request) == Lines{failure});
    other.clear();
    CHECK_FALSE(room->is_idle());
    CHECK(type_of(player.ask(move_request("E2", "E4")).at(0)) == "next_legal_moveset");
    REQUIRE(other.received().size() == max_hints + 1);
    CHECK(std::count(other.received().begin(), other.received().end(), failure)
          == static_cast<std::ptrdiff_t>(max_hints));
}

TEST_CASE("a hint by HTTP is given up when its client has left", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    const std::array<GameRoom::Sender, 2> senders{{{0, {}, 1}, {0, {}, 2}}};
    std::array<Lines, 2> received;
    for (std::size_t i = 0; i < 2; ++i)
        room->handle_message(senders.at(i), hint_request, [&received, i](const auto& answer) {
            received.at(i) = answer.messages;
        });
    room->cancel_requests_of(senders[0]);
    CHECK(received[0] == Lines{failure});
    CHECK(received[1].empty());
    CHECK_FALSE(room->is_idle());
    room->cancel_requests_of(senders[1]);
    CHECK(received[1] == Lines{failure});
    CHECK(room->is_idle());
    CHECK(web.queue.statistics().waiting_players == 0);
}

TEST_CASE("what waits for the engine's move is given up when its client has left", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.send(engine_request);
    std::array<Lines, 2> received;
    for (std::size_t i = 0; i < 2; ++i)
        room->handle_message(
            {0, {}, i + 1}, request("get_legal_moveset"),
            [&received, i](const auto& answer) { received.at(i) = answer.messages; });
    room->cancel_requests_of({0, {}, 1});
    CHECK(received[0] == Lines{failure});
    CHECK(received[1].empty());
    web.run_until([&] { return !received[1].empty(); });
    CHECK(type_of(received[1].at(0)) == "next_legal_moveset");
    CHECK(type_of(client.received().at(0)) == "engine_move");
}

TEST_CASE("a hint is answered while the game stands", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.send(R"({"message_type":"hint","depth":2})");
    client.send(request("get_legal_moveset"));
    CHECK(type_of(client.received().at(0)) == "next_legal_moveset");
    web.run_until([&] { return client.received().size() == 2; });
    CHECK(type_of(client.received().at(1)) == "hint");
}

TEST_CASE("the engine's move does not wait for a hint", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.send(hint_request);
    client.send(engine_request);
    CHECK(client.received() == Lines{failure});
    web.run_until([&] { return client.received().size() == 3; });
    CHECK(type_of(client.received().at(1)) == "engine_move");
}

TEST_CASE("the requests of others do not keep a client's from waiting", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    RoomClient other{room};
    client.send(engine_request);
    for (std::size_t i = 0; i <= max_pending_requests; ++i)
        other.send(request("get_legal_moveset"));
    CHECK(other.received() == Lines{failure});
    CHECK(client.ask(request("get_legal_moveset")).empty());
}

TEST_CASE("what a client that leaves has asked for is given up", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    RoomClient other{room};
    other.send(hint_request);
    client.send(engine_request);
    other.send(hint_request);
    other.send(move_request("D2", "D4"));
    other.clear();
    other.leave();
    client.clear();
    web.run_until([&] { return !client.received().empty(); });
    CHECK(type_of(client.received().front()) == "engine_move");
    CHECK(other.received().empty());
    client.leave();
    CHECK(room->is_idle());
}

TEST_CASE("an analysis follows the game and ends with it", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    const auto last_ply = [&] {
        const auto& received = client.received();
        if (received.empty() || type_of(received.back()) != "analysis")
            return -1;
        return Json::parse(received.back()).at("ply").get<int>();
    };
    client.ask(request("start_analysis"));
    web.run_until([&] { return last_ply() == 0; });
    client.ask(move_request("E2", "E4"));
    web.run_until([&] { return last_ply() == 1; });
    client.ask(R"({"message_type":"resignation","player":"white"})");
    bool done = false;
    client.clear();
    uci::server::SearchJob job;
    job.limits.depth = 2;
    web.queue.submit(job, [&](const uci::server::SearchResult&) { done = true; });
    web.run_until([&] { return done; });
    CHECK(client.received().empty());
}

TEST_CASE("an analysis that cannot follow the game begins when there is room", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    client.ask(request("start_analysis"));
    client.ask(R"({"message_type":"resignation","player":"white"})");
    std::vector<uci::server::SearchQueue::JobId> others;
    uci::server::SearchJob job;
    job.priority = uci::server::Priority::analysis;
    job.limits.movetime = max_analysis_time;
    while (const auto other = web.queue.submit(job, nullptr))
        others.push_back(*other);
    client.ask(new_game_request("8/8/8/8/8/7k/R7/K7 w - - 0 1"));
    for (const auto other : others)
        web.queue.cancel(other);
    client.clear();
    web.run_until([&] { return !client.received().empty(); });
    CHECK(type_of(client.received().back()) == "analysis");
}

TEST_CASE("one address has ten analyses, and its searches beside them", "[game_room]") {
    WebFixture web;
    std::deque<RoomClient> clients;
    const auto begins = [&](const std::string& address, const std::string& message) {
        clients.emplace_back(web.games.create(now()), address);
        return clients.back().ask(message) != Lines{failure};
    };
    int begun = 0;
    for (std::size_t i = 0; i < max_analyses; ++i)
        begun += begins("a", request("start_analysis"));
    CHECK(begun == 10);
    CHECK(begins("a", request("explain")));
    CHECK(begins("b", request("start_analysis")));
    CHECK(begins("b", request("explain")));
    // An analysis that somebody else began in the same game goes on when a client is refused.
    const auto room = web.games.create(now());
    RoomClient refused{room, "a"};
    RoomClient other{room, "b"};
    CHECK(other.ask(request("start_analysis")) != Lines{failure});
    CHECK(refused.ask(R"({"message_type":"start_analysis","lines":3})") == Lines{failure});
    other.clear();
    for (auto& client : clients)
        client.leave();
    web.run_until([&] { return !other.received().empty(); });
    CHECK(type_of(other.received().back()) == "analysis");
}

TEST_CASE("a client with a key for each side moves for both", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient client{room};
    RoomClient other{room};
    client.ask(take_seat_request("white", "0123456789abcdef"));
    client.ask(take_seat_request("black", "fedcba9876543210"));
    CHECK(client.ask(move_request("E2", "E4")) != Lines{failure});
    CHECK(other.ask(move_request("E7", "E5")) == Lines{failure});
    CHECK(client.ask(move_request("E7", "E5")) != Lines{failure});
    CHECK(type_of(client.ask(R"({"message_type":"leave_seat","player":"white"})").at(0))
          == "seat_left");
}

TEST_CASE("a later client receives the last report of the analysis", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient first{room};
    first.ask(request("start_analysis"));
    web.run_until([&] { return type_of(first.received().back()) == "analysis"; });
    RoomClient second{room};
    REQUIRE(second.ask(request("start_analysis")).size() == 2);
    CHECK(second.received().at(1) == first.received().back());
    first.ask(move_request("E2", "E4"));
    CHECK(second.ask(request("start_analysis")).size() == 1);
}

TEST_CASE("each client receives as many lines of the analysis as it wants", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient one{room};
    RoomClient three{room};
    const auto last = [](const RoomClient& client) {
        const auto& received = client.received();
        const bool is_analysis = !received.empty() && type_of(received.back()) == "analysis";
        return is_analysis ? Json::parse(received.back()) : Json{};
    };
    one.ask(request("start_analysis"));
    three.ask(R"({"message_type":"start_analysis","lines":3})");
    web.run_until(
        [&] { return !last(three).empty() && last(three)["depth"] == last(one)["depth"]; });
    CHECK_FALSE(last(one).contains("lines"));
    REQUIRE(last(three).at("lines").size() == 3);
    CHECK(last(three)["lines"][0].at("line") == last(one).at("line"));
    CHECK(last(three)["lines"][1].at("line")[0] != last(one)["line"][0]);
    three.ask(R"({"message_type":"start_analysis","lines":2})");
    three.clear();
    web.run_until([&] { return !last(three).empty(); });
    CHECK(last(three).at("lines").size() == 2);
    CHECK(three.ask(R"({"message_type":"start_analysis","lines":6})") == Lines{failure});
}

TEST_CASE("the positions of a line are sent, if its moves are legal", "[game_room]") {
    WebFixture web;
    RoomClient client{web.games.create(now())};
    client.ask(move_request("E2", "E4"));
    const auto answer = client.ask(R"({"message_type":"get_positions","from":1,"line":"e5 Nf3"})");
    REQUIRE(answer.size() == 1);
    CHECK(Json::parse(answer[0]).at("positions").size() == 3);
    CHECK(client.ask(R"({"message_type":"get_positions","from":2,"line":"e5"})") == Lines{failure});
    CHECK(client.ask(R"({"message_type":"get_positions","line":"e5"})") == Lines{failure});
}

TEST_CASE("the engine moves at once when its opponent says so", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient player{room};
    RoomClient spectator{room};
    CHECK(player.ask(request("move_now")) == Lines{failure});
    player.ask(take_seat_request("white", "0123456789abcdef"));
    player.ask(take_seat_request("black", "0123456789abcdef"));
    player.ask(move_request("E2", "E4"));
    player.ask(long_engine_request);
    CHECK(spectator.ask(request("move_now")) == Lines{failure});
    CHECK(type_of(player.ask(request("move_now")).at(0)) == "search_stopped");
    player.clear();
    web.run_until([&] { return !player.received().empty(); });
    CHECK(type_of(player.received().at(0)) == "engine_move");
    CHECK(room->plies() == 2);
    CHECK(player.ask(request("move_now")) == Lines{failure});
}

TEST_CASE("who does not play the side to move does not end the engine's search for it",
          "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient white{room};
    RoomClient black{room};
    white.ask(take_seat_request("white", "0123456789abcdef"));
    black.ask(take_seat_request("black", "fedcba9876543210"));
    white.ask(long_engine_request);
    CHECK(black.ask(request("move_now")) == Lines{failure});
    CHECK(type_of(white.ask(request("move_now")).at(0)) == "search_stopped");
}

TEST_CASE("a player resigns while the engine thinks, without waiting for its move", "[game_room]") {
    WebFixture web;
    const auto room = web.games.create(now());
    RoomClient player{room};
    RoomClient spectator{room};
    player.ask(take_seat_request("white", "0123456789abcdef"));
    player.ask(take_seat_request("black", "0123456789abcdef"));
    player.ask(move_request("E2", "E4"));
    player.ask(long_engine_request);
    const std::string resignation = R"({"message_type":"resignation","player":"white"})";
    CHECK(spectator.ask(resignation) == Lines{failure});
    spectator.clear();
    const auto answers = player.ask(resignation);
    CHECK(answers.front() == failure);  // to the request for a move
    CHECK(type_of(answers.back()) == "game_end");
    CHECK(spectator.received() == Lines{answers.back()});
    CHECK(room->plies() == 1);
    CHECK(player.ask(new_game_request("8/8/8/8/8/7k/R7/K7 w - - 0 1")) != Lines{failure});
}
