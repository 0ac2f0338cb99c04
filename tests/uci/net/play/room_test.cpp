#include "uci/net/play/room.hpp"

#include "uci/json/text.hpp"
#include "uci/net/play/limits.hpp"

#include "tests/uci/json/client.hpp"
#include "tests/uci/net/play/house.hpp"

using namespace tests;
using namespace uci::net::play;
using Lines = std::vector<std::string>;

namespace {

/// Someone in a room, who writes down what is heard.
class Guest {
public:
    explicit Guest(std::shared_ptr<Room> room) : room_{std::move(room)} {
        number_ = room_->enter([this](const std::string& text) { heard_.push_back(text); });
    }

    /// What is heard until the answer is there, if it comes at once.
    Lines ask(const std::string& message) {
        heard_.clear();
        say(message);
        return heard_;
    }
    void say(const std::string& message) {
        room_->hear(number_, message, [this](const uci::json::Answer& answer) {
            heard_.insert(heard_.end(), answer.messages.begin(), answer.messages.end());
        });
    }
    void leave() { room_->leave(number_); }

    const Lines& heard() const { return heard_; }
    void forget_all() { heard_.clear(); }
    std::size_t number() const { return number_; }

private:
    std::shared_ptr<Room> room_;
    std::size_t number_ = Room::nobody;
    Lines heard_;
};

std::string seat_request(std::string_view player, std::string_view key) {
    return Json{{"message_type", "take_seat"}, {"player", player}, {"key", key}}.dump();
}

std::string type_of(const std::string& message) {
    return Json::parse(message).at("message_type");
}

Room::Time now() {
    return std::chrono::steady_clock::now();
}

const std::string engine_request = R"({"message_type":"engine_move","depth":1})";

}  // namespace

TEST_CASE("all in a room hear what happened, one hears what did not", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest white{room};
    Guest black{room};
    const auto answer = white.ask(move_request("E2", "E4"));
    REQUIRE(answer.size() == 1);
    CHECK(black.heard() == answer);
    black.forget_all();
    CHECK(white.ask(move_request("E2", "E4")) == Lines{failure});
    CHECK(black.heard().empty());
}

TEST_CASE("who has left hears nothing more", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest white{room};
    Guest black{room};
    black.leave();
    white.ask(move_request("E2", "E4"));
    CHECK(black.heard().empty());
}

TEST_CASE("a client that does not stay plays too, but takes no seat", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest guest{room};
    Lines heard;
    const auto reply = [&](const uci::json::Answer& answer) { heard = answer.messages; };
    room->hear(Room::nobody, move_request("E2", "E4"), reply);
    CHECK(guest.heard() == heard);
    room->hear(Room::nobody, seat_request("white", "0123456789abcdef"), reply);
    CHECK(heard == Lines{failure});
    room->hear(Room::nobody, request("follow_game"), reply);
    CHECK(heard == Lines{failure});
}

TEST_CASE("followers are told the game whenever it has changed", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest guest{room};
    CHECK(guest.ask(request("follow_game")).size() == 1);
    CHECK(type_of(guest.heard().at(0)) == "game");
    CHECK(guest.ask(request("get_legal_moveset")).size() == 1);
    CHECK(guest.ask(move_request("E2", "E5")) == Lines{failure});
    REQUIRE(guest.ask(move_request("E2", "E4")).size() == 2);
    CHECK(Json::parse(guest.heard().at(1)).at("played").dump() == R"(["e4"])");
    guest.forget_all();
    Guest other{room};
    REQUIRE(guest.heard().size() == 1);
    CHECK(Json::parse(guest.heard().at(0)).at("present") == 2);
    CHECK(other.heard().empty());
}

TEST_CASE("a pawn that waits for its promotion is seen by followers", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest guest{room};
    guest.ask(new_game_request("8/P6k/8/8/8/8/8/K7 w - - 0 1"));
    guest.ask(request("follow_game"));
    REQUIRE(guest.ask(move_request("A7", "A8")).size() == 2);
    const auto seen = Json::parse(guest.heard().at(1));
    CHECK(seen.at("promoting").dump() == R"({"from":"A7","to":"A8"})");
}

TEST_CASE("requests wait while the engine thinks, but not too many", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest guest{room};
    CHECK(guest.ask(engine_request).empty());
    CHECK_FALSE(room->is_deserted());
    for (std::size_t i = 0; i < most_waiting_requests; ++i)
        guest.say(request("get_legal_moveset"));
    CHECK(guest.heard().empty());
    guest.say(request("get_legal_moveset"));
    CHECK(guest.heard() == Lines{failure});
    guest.forget_all();
    house.wait_until([&] { return guest.heard().size() == 2 + most_waiting_requests; });
    CHECK(type_of(guest.heard().at(0)) == "engine_move");
    CHECK(guest.heard().at(1) == guest.heard().back());
}

TEST_CASE("a room that thinks is not forgotten", "[room]") {
    House house;
    bool answered = false;
    house.lobby.open(now())->hear(Room::nobody, engine_request,
                                  [&](const uci::json::Answer&) { answered = true; });
    const auto later = now() + 2 * longest_rest;
    house.lobby.sweep(later);
    REQUIRE(house.lobby.size() == 1);
    house.wait_until([&] { return answered; });
    house.lobby.sweep(later);
    CHECK(house.lobby.size() == 0);
}

TEST_CASE("a game is kept until it has rested for long enough", "[room]") {
    House house;
    const auto id = house.lobby.open(now())->id();
    house.lobby.sweep(now() + longest_rest - std::chrono::minutes{1});
    REQUIRE(house.lobby.find(id));
    {
        Guest guest{house.lobby.find(id)};
        house.lobby.sweep(now() + 2 * longest_rest);
        REQUIRE(house.lobby.find(id));
        guest.leave();
    }
    house.lobby.sweep(now() + 2 * longest_rest);
    CHECK_FALSE(house.lobby.find(id));
}

TEST_CASE("a room where nothing was granted is taken away", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest guest{room};
    guest.ask("nonsense");
    house.lobby.close_untouched(room->id());
    CHECK(house.lobby.size() == 1);
    guest.leave();
    house.lobby.close_untouched(room->id());
    CHECK(house.lobby.size() == 0);
}

TEST_CASE("there are no more games, and no more guests, than there may be", "[room]") {
    House house;
    for (std::size_t i = 0; i < most_games; ++i)
        REQUIRE(house.lobby.open(now()));
    CHECK_FALSE(house.lobby.open(now()));
    CHECK(house.lobby.open(now() + shortest_rest + std::chrono::seconds{10}));
    CHECK(house.lobby.size() == most_games);

    Room room{"0", house.thinker};
    for (std::size_t i = 0; i < most_participants; ++i)
        REQUIRE(room.enter([](const std::string&) {}) != Room::nobody);
    CHECK(room.is_full());
    CHECK(room.enter([](const std::string&) {}) == Room::nobody);
}

TEST_CASE("an analysis follows the game and ends with it", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest guest{room};
    const auto last_ply = [&] {
        const auto& heard = guest.heard();
        if (heard.empty() || type_of(heard.back()) != "analysis")
            return -1;
        return Json::parse(heard.back()).at("ply").get<int>();
    };
    guest.ask(request("start_analysis"));
    house.wait_until([&] { return last_ply() == 0; });
    guest.ask(move_request("E2", "E4"));
    house.wait_until([&] { return last_ply() == 1; });
    guest.ask(R"({"message_type":"resignation","player":"white"})");
    bool done = false;
    guest.forget_all();
    engine::Limits limits;
    limits.depth = 2;
    house.thinker.think({core::Game{}, limits, [&](const engine::BestMove&) { done = true; }});
    house.wait_until([&] { return done; });
    CHECK(guest.heard().empty());
}

TEST_CASE("who comes later is told what the analysis has found out", "[room]") {
    House house;
    const auto room = house.lobby.open(now());
    Guest first{room};
    first.ask(request("start_analysis"));
    house.wait_until([&] { return type_of(first.heard().back()) == "analysis"; });
    Guest second{room};
    REQUIRE(second.ask(request("start_analysis")).size() == 2);
    CHECK(second.heard().at(1) == first.heard().back());
    first.ask(move_request("E2", "E4"));
    CHECK(second.ask(request("start_analysis")).size() == 1);
}
