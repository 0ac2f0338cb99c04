#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/json/web/room_record.hpp"

#include "tests/uci/json/web/fake_room_store.hpp"
#include "tests/uci/json/web/fixture.hpp"
#include "tests/uci/json/web/room_client.hpp"

using namespace tests;
using namespace uci::json::web;
using namespace std::chrono_literals;

namespace {

GameRoom::Time now() {
    return std::chrono::steady_clock::now();
}

/// Servers, one after the other, with one store.
struct StoredWeb {
    WebFixture web;
    FakeRoomStore store;
    GameRegistry games{services()};

    /// The game in another server, which has just been started.
    std::shared_ptr<GameRoom> reopen(const std::string& id, GameRegistry& others) {
        std::optional<std::shared_ptr<GameRoom>> opened;
        others.open(id, [&](const auto& room) {
            REQUIRE(room);
            opened = *room;
        });
        store.answer_all();
        REQUIRE(opened);
        return *opened;
    }
    GameRegistry other_server() { return GameRegistry{services()}; }
    RoomServices services() {
        return {
            .queue = web.queue, .reviews = &web.reviews, .store = &store, .alarms = &web.alarms};
    }
    /// Sends a message and lets the store answer.
    Lines ask(RoomClient& client, const std::string& message) {
        client.clear();
        client.send(message);
        store.answer_all();
        return client.received();
    }
};

const std::string key{"0123456789abcdef"};
const std::string other_key{"fedcba9876543210"};
const std::string engine_request = R"({"message_type":"engine_move","depth":1})";

std::string clock_request(int white, int black) {
    return Json{{"message_type", "clock"}, {"white_time", white}, {"black_time", black}}.dump();
}

bool is_unavailable(const Lines& lines) {
    return lines.size() == 1 && lines.front().find("cannot be stored") != std::string::npos;
}

std::vector<std::string> types_of(const Lines& lines) {
    std::vector<std::string> types;
    for (const auto& line : lines)
        types.push_back(type_of(line));
    return types;
}

}  // namespace

TEST_CASE("a move is answered when it is stored", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient white{room};
    RoomClient follower{room};
    CHECK(follower.ask(request("follow_game")).size() == 1);
    follower.clear();
    CHECK(white.ask(move_request("E2", "E4")).empty());
    CHECK(follower.received().empty());
    CHECK(room->plies() == 0);
    CHECK_FALSE(room->is_idle());
    REQUIRE(on.store.count_waiting() == 1);
    on.store.answer();
    CHECK(types_of(white.received()) == Lines{"next_legal_moveset"});
    CHECK(types_of(follower.received()) == Lines{"next_legal_moveset", "game"});
    CHECK(room->plies() == 1);
    const auto record = read_room_record(on.store.records.at(room->id()));
    REQUIRE(record);
    CHECK(record->session.game.moves().size() == 1);
}

TEST_CASE("what cannot be stored does not happen, and can be asked for again", "[room_saving]") {
    StoredWeb on;
    on.store.is_silent = GENERATE(false, true);
    const auto room = on.games.create(now());
    RoomClient white{room};
    CHECK(on.ask(white, move_request("E2", "E4")).size() == 1);
    on.store.fails = true;
    for (int i = 0; i < 3; ++i) {
        CHECK(is_unavailable(on.ask(white, move_request("E7", "E5"))));
        CHECK(room->plies() == 1);
        CHECK(is_unavailable(on.ask(white, take_seat_request("white", key))));
    }
    on.store.fails = false;
    CHECK(types_of(on.ask(white, request("get_legal_moveset"))) == Lines{"next_legal_moveset"});
    CHECK(types_of(on.ask(white, move_request("C7", "C5"))) == Lines{"next_legal_moveset"});
    auto others = on.other_server();
    CHECK(on.reopen(room->id(), others)->plies() == 2);
    RoomClient again{on.reopen(room->id(), others)};
    CHECK(on.ask(again, take_seat_request("white", other_key)).front().find("seat_taken")
          != std::string::npos);
}

TEST_CASE("messages wait for the store and are handled in their order", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    client.send(move_request("E2", "E4"));
    client.send(move_request("E2", "E4"));
    client.send(move_request("E7", "E5"));
    client.send(R"({"message_type":"get_positions","from":2})");
    client.send(take_seat_request("black", key));
    client.send("nonsense");
    CHECK(client.received().empty());
    on.store.answer_all();
    CHECK(types_of(client.received())
          == Lines{"next_legal_moveset", "failure", "next_legal_moveset", "positions", "seat_taken",
                   "failure"});
}

TEST_CASE("what waits for the store is limited for each client", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    RoomClient other{room};
    client.send(move_request("E2", "E4"));
    for (std::size_t i = 0; i < max_waiting_messages; ++i)
        CHECK(client.ask(request("get_legal_moveset")).empty());
    CHECK(client.ask(request("get_legal_moveset")) == Lines{failure});
    CHECK(other.ask(request("get_legal_moveset")).empty());
    CHECK(other.ask(std::string(max_waiting_bytes, 'x')) == Lines{failure});
    client.leave();
    client.clear();
    on.store.answer_all();
    CHECK(types_of(client.received()) == Lines{"next_legal_moveset"});
    CHECK(types_of(other.received()).back() == "next_legal_moveset");
}

TEST_CASE("a restart keeps the game, the seats and the permissions", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient white{room};
    on.ask(white, take_seat_request("white", key));
    on.ask(white, move_request("E2", "E4"));
    CHECK(on.store.records.at(room->id()).find(key) == std::string::npos);

    auto others = on.other_server();
    const auto next = on.reopen(room->id(), others);
    REQUIRE(next);
    CHECK(others.size() == 1);
    CHECK_FALSE(next->is_unused());
    RoomClient black{next};
    const auto game = Json::parse(black.ask(request("follow_game")).front());
    CHECK(game.at("played").dump() == R"(["e4"])");
    CHECK(game.at("seats_taken").dump() == R"(["white"])");
    CHECK(on.ask(black, move_request("E7", "E5")).size() == 2);
    CHECK(on.ask(black, move_request("G1", "F3")) == Lines{failure});
    CHECK(on.ask(black, take_seat_request("white", other_key)) == Lines{failure});
    RoomClient again{next};
    CHECK(on.ask(again, take_seat_request("white", key)).front().find("seat_taken")
          != std::string::npos);
    CHECK(on.ask(again, move_request("G1", "F3")).size() == 1);
}

TEST_CASE("what changes nothing is not stored", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    client.ask(request("follow_game"));
    client.ask(request("get_legal_moveset"));
    client.ask(move_request("E2", "E5"));
    client.ask(request("start_analysis"));
    CHECK(on.store.count_waiting() == 0);
    CHECK_FALSE(room->is_stored());
    on.ask(client, take_seat_request("white", key));
    CHECK(on.store.records.size() == 1);
    client.ask(take_seat_request("white", key));
    CHECK(on.store.count_waiting() == 0);
}

TEST_CASE("the engine goes on with its search after a restart", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, engine_request);
    room->close();
    auto others = on.other_server();
    const auto next = on.reopen(room->id(), others);
    RoomClient follower{next};
    const auto game = Json::parse(follower.ask(request("follow_game")).front());
    CHECK(game.at("thinking") == true);
    follower.clear();
    on.web.run_until([&] {
        on.store.answer_all();
        return next->plies() == 2;
    });
    CHECK(types_of(follower.received()) == Lines{"engine_move", "next_legal_moveset", "game"});
}

TEST_CASE("a seat that is taken during a search does not lose the engine's move", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, engine_request);
    client.send(take_seat_request("white", key));
    REQUIRE(on.store.count_waiting() == 1);
    on.web.run_until([&] {
        const auto searches = on.web.queue.statistics();
        return searches.running + searches.waiting_players == 0;
    });
    client.clear();
    on.store.answer_all();
    CHECK(types_of(client.received()) == Lines{"seat_taken", "engine_move", "next_legal_moveset"});
    const auto record = read_room_record(on.store.records.at(room->id()));
    REQUIRE(record);
    CHECK(record->session.game.moves().size() == 1);
    CHECK_FALSE(record->seats[0].empty());
    CHECK_FALSE(record->search);
}

TEST_CASE("an engine's move that cannot be stored can be asked for again", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, engine_request);
    client.clear();
    on.store.fails = true;
    on.web.run_until([&] {
        on.store.answer_all();
        return !client.received().empty();
    });
    CHECK(is_unavailable(client.received()));
    CHECK(room->plies() == 0);
    on.store.fails = false;
    on.ask(client, engine_request);
    on.web.run_until([&] {
        on.store.answer_all();
        return room->plies() == 1;
    });
}

TEST_CASE("a rematch is stored with its seats, before anybody hears of it", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient white{room};
    RoomClient black{room};
    on.ask(white, take_seat_request("white", key));
    on.ask(black, take_seat_request("black", other_key));
    on.ask(white, R"({"message_type":"resignation","player":"white"})");
    CHECK(types_of(on.ask(white, R"({"message_type":"offer_rematch","player":"white"})"))
          == Lines{"rematch_offered"});
    const std::string accept = R"({"message_type":"accept_rematch","player":"black"})";
    on.store.fails = true;
    CHECK(is_unavailable(on.ask(black, accept)));
    CHECK(Json::parse(black.ask(request("follow_game")).front()).at("rematch_offer") == "white");
    on.store.fails = false;
    black.clear();
    white.clear();
    black.send(accept);
    CHECK(black.received().empty());
    CHECK(white.received().empty());
    on.store.answer_all();
    CHECK(types_of(black.received()) == Lines{"next_legal_moveset", "game"});

    auto others = on.other_server();
    const auto next = on.reopen(room->id(), others);
    RoomClient first{next};
    RoomClient second{next};
    CHECK(Json::parse(first.ask(request("follow_game")).front()).at("rematches") == 1);
    CHECK(on.ask(first, take_seat_request("black", key)).front().find("seat_taken")
          != std::string::npos);
    CHECK(on.ask(second, take_seat_request("white", other_key)).front().find("seat_taken")
          != std::string::npos);
    CHECK(on.ask(first, move_request("E2", "E4")) == Lines{failure});
    CHECK(on.ask(second, move_request("E2", "E4")).size() == 1);
}

TEST_CASE("an agreed draw is stored before anybody hears of it", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, move_request("E7", "E5"));
    CHECK(types_of(on.ask(client, R"({"message_type":"offer_draw","player":"white"})"))
          == Lines{"draw_offered"});
    client.clear();
    client.send(R"({"message_type":"accept_draw","player":"black"})");
    CHECK(client.received().empty());
    on.store.answer_all();
    CHECK(types_of(client.received()) == Lines{"game_end"});
    const auto record = read_room_record(on.store.records.at(room->id()));
    REQUIRE(record);
    REQUIRE(record->session.ending);
    CHECK(record->session.ending->reason == "agreement");
}

TEST_CASE("clocks are stored, stand during a restart and run on", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    const auto clock_of = [](RoomClient& one) {
        return Json::parse(one.ask(request("clock")).front());
    };
    on.ask(client, clock_request(60'000, 30'000));
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, move_request("E7", "E5"));
    std::this_thread::sleep_for(300ms);
    client.ask(request("clock"));
    CHECK(on.store.count_waiting() == 0);  // time that passes is no change
    on.ask(client, move_request("G1", "F3"));
    const auto white_time = clock_of(client).at("white_time");
    CHECK(white_time <= 59'700);
    std::this_thread::sleep_for(300ms);

    auto others = on.other_server();
    RoomClient next{on.reopen(room->id(), others)};
    auto clock = clock_of(next);
    CHECK(clock.at("runs") == "black");
    CHECK(clock.at("white_time") == white_time);
    CHECK(clock.at("black_time") > 29'700);
    std::this_thread::sleep_for(20ms);
    CHECK(clock_of(next).at("black_time") <= 29'980);
    on.ask(next, R"({"message_type":"take_back"})");
    clock = clock_of(next);
    CHECK(clock.at("runs") == "white");
    CHECK(clock.at("white_time") > 59'700);
}

TEST_CASE("the clock is charged with the time until the last change", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, clock_request(60'000, 60'000));
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, move_request("E7", "E5"));
    std::this_thread::sleep_for(30ms);
    on.ask(client, take_seat_request("white", key));
    auto others = on.other_server();
    RoomClient next{on.reopen(room->id(), others)};
    CHECK(Json::parse(next.ask(request("clock")).front()).at("white_time") <= 59'970);
}

TEST_CASE("a flag falls by itself in a game that was restored", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, clock_request(50, 50));
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, move_request("E7", "E5"));
    auto others = on.other_server();
    const auto next = on.reopen(room->id(), others);
    RoomClient follower{next};
    follower.ask(request("follow_game"));
    follower.clear();
    while (on.store.count_waiting() == 0)
        REQUIRE(on.web.io.run_one_for(5s) == 1);
    CHECK(follower.received().empty());
    on.store.answer_all();
    CHECK(types_of(follower.received()) == Lines{"game_end", "game"});
    const auto record = read_room_record(on.store.records.at(room->id()));
    REQUIRE(record);
    REQUIRE(record->session.ending);
    CHECK(record->session.ending->reason == "timeout");
}

TEST_CASE("a fallen flag that cannot be stored is tried again later", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, clock_request(10, 10));
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, move_request("E7", "E5"));
    std::this_thread::sleep_for(15ms);
    on.store.fails = true;
    CHECK(is_unavailable(on.ask(client, move_request("G1", "F3"))));
    CHECK(on.store.count_waiting() == 0);
    on.store.fails = false;
    client.clear();
    on.web.io.run_for(100ms);
    CHECK(on.store.count_waiting() == 0);  // not at once
    const auto start = now();
    while (on.store.count_waiting() == 0 && now() - start < 10s)
        on.web.io.run_one_for(1s);
    on.store.answer_all();
    CHECK(types_of(client.received()) == Lines{"game_end"});
    CHECK(room->plies() == 2);
}

TEST_CASE("a flag that falls while the game is being stored ends it then", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, clock_request(30, 30));
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, move_request("E7", "E5"));
    client.clear();
    client.send(take_seat_request("white", key));
    on.web.io.run_for(60ms);
    REQUIRE(on.store.count_waiting() == 1);
    on.store.answer();
    CHECK(types_of(client.received()) == Lines{"seat_taken"});
    on.web.io.restart();
    const auto start = now();
    while (on.store.count_waiting() == 0 && now() - start < 5s)
        on.web.io.run_one_for(1s);
    on.store.answer_all();
    CHECK(types_of(client.received()) == Lines{"seat_taken", "game_end"});
}

TEST_CASE("the flag ends the engine's search once that is stored", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, clock_request(40, 40));
    on.ask(client, move_request("E2", "E4"));
    on.ask(client, move_request("E7", "E5"));
    client.clear();
    client.send(R"({"message_type":"engine_move","depth":60,"milliseconds":60000})");
    on.store.fails = GENERATE(false, true);
    std::this_thread::sleep_for(45ms);
    on.store.answer();
    on.store.fails = false;
    on.store.answer_all();
    CHECK(on.ask(client, move_request("G1", "F3")).back() == failure);
    const auto record = read_room_record(on.store.records.at(room->id()));
    REQUIRE(record);
    CHECK_FALSE(record->search);
    REQUIRE(record->session.ending);
    CHECK(record->session.ending->reason == "timeout");
    CHECK(room->plies() == 2);
}

TEST_CASE("a game that another server has changed is read again", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, move_request("E2", "E4"));
    auto others = on.other_server();
    RoomClient other{on.reopen(room->id(), others)};
    CHECK(on.ask(other, move_request("E7", "E5")).size() == 1);
    const auto answers = on.ask(client, move_request("C7", "C5"));
    CHECK(types_of(answers) == Lines{"failure", "next_legal_moveset"});
    CHECK(is_unavailable({answers.front()}));
    CHECK(room->plies() == 2);
    CHECK(on.ask(client, move_request("G1", "F3")).size() == 1);
    CHECK(room->plies() == 3);
}

TEST_CASE("a stored game is read once for all who ask for it", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, move_request("E2", "E4"));
    auto others = on.other_server();
    std::vector<std::shared_ptr<GameRoom>> opened;
    for (int i = 0; i < 3; ++i)
        others.open(room->id(), [&](const auto& found) { opened.push_back(*found); });
    CHECK(on.store.finds == 1);
    on.store.answer_all();
    REQUIRE(opened.size() == 3);
    CHECK(opened[0] == opened[1]);
    CHECK(opened[0] == opened[2]);
    others.open(room->id(), [&](const auto& found) { opened.push_back(*found); });
    CHECK(opened.size() == 4);
    CHECK(on.store.finds == 1);
}

TEST_CASE("a game that is not stored, not a game's id, or not readable is none", "[room_saving]") {
    StoredWeb on;
    const std::string unknown(32, 'a');
    CHECK_FALSE(on.reopen(unknown, on.games));
    CHECK_FALSE(on.reopen("../../etc/passwd", on.games));
    CHECK(on.store.finds == 1);
    on.store.records[unknown] = R"({"version":1,"moves":"e2e5"})";
    CHECK_FALSE(on.reopen(unknown, on.games));
    CHECK(on.store.records.size() == 1);
    CHECK(on.games.size() == 0);
    on.store.fails = true;
    bool is_error = false;
    on.games.open(unknown, [&](const auto& found) { is_error = !found; });
    on.store.answer_all();
    CHECK(is_error);
}

TEST_CASE("games that expire or make space leave the store", "[room_saving]") {
    StoredWeb on;
    const auto id = [&] {
        const auto room = on.games.create(now());
        RoomClient client{room};
        on.ask(client, move_request("E2", "E4"));
        client.leave();
        return room->id();
    }();
    CHECK(on.store.records.contains(id));
    on.games.remove_expired(now() + max_idle_time + std::chrono::minutes{1});
    on.store.answer_all();
    CHECK(on.store.records.empty());

    GameRegistry few{{on.web.queue, nullptr, nullptr, nullptr, &on.store}, 1};
    const auto first = few.create(now());
    {
        RoomClient client{first};
        on.ask(client, move_request("E2", "E4"));
        client.leave();
    }
    CHECK(on.store.records.size() == 1);
    CHECK(few.create(now() + min_idle_time + std::chrono::seconds{1}));
    on.store.answer_all();
    CHECK(on.store.records.empty());
}

TEST_CASE("a game that was idle too long before the restart is none", "[room_saving]") {
    StoredWeb on;
    const std::string id(32, 'a');
    RoomRecord record;
    record.active = wall_time() - max_idle_time - std::chrono::minutes{1};
    on.store.records[id] = write_room_record(record);
    CHECK_FALSE(on.reopen(id, on.games));
    record.active = wall_time() - max_idle_time + std::chrono::minutes{1};
    on.store.records[id] = write_room_record(record);
    const auto room = on.reopen(id, on.games);
    REQUIRE(room);
    CHECK(now() - room->last_activity() > max_idle_time - std::chrono::minutes{2});
}

TEST_CASE("a stored game leaves memory when it has been idle for some time", "[room_saving]") {
    StoredWeb on;
    const auto id = on.games.create(now())->id();
    RoomClient client{on.games.find(id)};
    on.ask(client, move_request("E2", "E4"));
    const auto record = on.store.records.at(id);
    const auto sweep = [&](std::chrono::minutes after) {
        on.games.remove_expired(now() + after);
        on.store.answer_all();
        return on.games.find(id) != nullptr;
    };
    CHECK(sweep(max_idle_time_in_memory + std::chrono::minutes{1}));  // somebody is connected
    client.leave();
    CHECK(sweep(max_idle_time_in_memory - std::chrono::minutes{1}));
    CHECK_FALSE(sweep(max_idle_time_in_memory + std::chrono::minutes{1}));
    CHECK(on.store.records.at(id) == record);
    const auto room = on.reopen(id, on.games);
    REQUIRE(room);
    CHECK(room->plies() == 1);
}

TEST_CASE("a game whose clock runs stays in memory", "[room_saving]") {
    StoredWeb on;
    const auto id = on.games.create(now())->id();
    RoomClient client{on.games.find(id)};
    on.ask(client, R"({"message_type":"clock","white_time":36000000,"black_time":36000000})");
    for (const auto& [from, to] : {std::pair{"E2", "E4"}, std::pair{"E7", "E5"}})
        on.ask(client, move_request(from, to));
    client.leave();
    on.games.remove_expired(now() + max_idle_time_in_memory + std::chrono::minutes{1});
    on.store.answer_all();
    CHECK(on.games.find(id));
}

TEST_CASE("a game that is used is stored again before it expires", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, move_request("E2", "E4"));
    const auto before = on.store.records.at(room->id());
    on.games.remove_expired(now() + renewal_interval - std::chrono::minutes{1});
    CHECK(on.store.count_waiting() == 0);
    on.games.remove_expired(now() + renewal_interval + std::chrono::minutes{1});
    CHECK(on.store.count_waiting() == 1);
    on.store.answer_all();
    const auto old = read_room_record(before);
    const auto renewed = read_room_record(on.store.records.at(room->id()));
    REQUIRE(renewed);
    CHECK(renewed->changed == old->changed);
    CHECK(renewed->active >= old->active);
    CHECK(on.ask(client, move_request("E7", "E5")).size() == 1);
}

TEST_CASE("a game can be ended that is only in the store", "[room_saving]") {
    StoredWeb on;
    const auto room = on.games.create(now());
    RoomClient client{room};
    on.ask(client, move_request("E2", "E4"));
    auto others = on.other_server();
    std::vector<bool> removed;
    const auto note = [&](const core::Result<bool>& done) { removed.push_back(done && *done); };
    others.remove(room->id(), note);
    on.store.answer_all();
    others.remove(room->id(), note);
    on.store.answer_all();
    on.games.remove(room->id(), note);
    on.store.answer_all();
    CHECK(removed == std::vector<bool>{true, false, true});
    CHECK(on.ask(client, move_request("E7", "E5")) == Lines{failure});
    CHECK(on.store.records.empty());
}
