#include "uci/chezz/game_room.hpp"

#include <nlohmann/json.hpp>

#include "uci/chezz/limits.hpp"

#include "tests/uci/chezz/fake_services.hpp"
#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using core::Color;

namespace {

using Texts = std::vector<std::string>;

constexpr GameId game_id{5};
constexpr UserId maker{70};
constexpr UserId second{71};

/// The types of messages; of errors, their codes.
Texts kinds(const Texts& messages) {
    Texts result;
    for (const auto& message : messages) {
        const auto json = nlohmann::json::parse(message);
        result.push_back(json["type"] == "error" ? json["code"] : json["type"]);
    }
    return result;
}

/// A game in the store, its room, and two users.
class Fixture {
public:
    explicit Fixture(const Texts& moves = {}) {
        GameState state = new_game_state(game_id, maker, Color::white);
        state.game = tests::chezz_game(moves);
        services.store(state);
    }

    /// Lets both players join.
    void seat_both() {
        room->join(white);
        room->join(black);
        services.answer_all();
        white->received_messages();
        black->received_messages();
    }
    /// Lets the engine play Black.
    void seat_engine() {
        GameState state = services.state(game_id);
        state.seat(Color::black) = engine_user;
        services.store(state);
    }
    void send(const std::shared_ptr<tests::FakeClient>& client, const std::string& text) {
        room->receive(client, text);
        services.answer_all();
    }
    /// Changes the stored game as another process would.
    void play_elsewhere(const std::string& move) {
        GameState state = services.state(game_id);
        state.game.play(*read_move_text(state.game.position(), move));
        services.store(state);
    }
    std::size_t plies() { return services.state(game_id).game.moves().size(); }

    tests::FakeServices services;
    std::shared_ptr<GameRoom> room = std::make_shared<GameRoom>(services, game_id);
    std::shared_ptr<tests::FakeClient> white = std::make_shared<tests::FakeClient>(maker);
    std::shared_ptr<tests::FakeClient> black = std::make_shared<tests::FakeClient>(second);
};

}  // namespace

TEST_CASE("a client who connects takes the free seat", "[chezz]") {
    Fixture fixture;
    fixture.room->join(fixture.white);
    fixture.room->join(fixture.black);
    fixture.services.answer_all();
    CHECK(fixture.white->received_messages() == Texts{R"({"type":"init","relation":"white"})"});
    CHECK(fixture.black->received_messages() == Texts{R"({"type":"init","relation":"black"})"});
    CHECK(fixture.services.state(game_id).seat(Color::black) == second);
    const auto observer = std::make_shared<tests::FakeClient>(UserId{72});
    fixture.room->join(observer);
    fixture.services.answer_all();
    CHECK(observer->received_messages() == Texts{R"({"type":"init","relation":"observer"})"});
}

TEST_CASE("a move is stored before it is sent to anyone", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.room->receive(fixture.white, "e2e4");
    CHECK(fixture.services.pending_calls() == 1);
    CHECK(fixture.white->received_messages().empty());
    CHECK(fixture.black->received_messages().empty());
    fixture.services.answer_all();
    CHECK(fixture.plies() == 1);
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move"});
    CHECK(kinds(fixture.black->received_messages()) == Texts{"move"});
}

TEST_CASE("only the sender of an illegal move gets the error", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.send(fixture.white, "e2e5");
    fixture.send(fixture.black, "e7e5");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"MOVE_NOT_ALLOWED"});
    CHECK(kinds(fixture.black->received_messages()) == Texts{"NOT_YOUR_TURN"});
    CHECK(fixture.plies() == 0);
}

TEST_CASE("messages in a burst are handled one after the other", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.room->receive(fixture.white, "e2e4");
    fixture.room->receive(fixture.white, "d2d4");
    fixture.room->receive(fixture.black, "e7e5");
    fixture.services.answer_all();
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move", "NOT_YOUR_TURN", "move"});
    CHECK(fixture.plies() == 2);
}

TEST_CASE("a change by another process is sent first, then the message is validated again",
          "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.play_elsewhere("e2e4");
    fixture.send(fixture.white, "d2d4");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move", "NOT_YOUR_TURN"});
    CHECK(kinds(fixture.black->received_messages()) == Texts{"move"});
    CHECK(fixture.plies() == 1);
    fixture.play_elsewhere("e7e5");
    fixture.room->refresh();
    fixture.services.answer_all();
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move"});
    fixture.room->refresh();
    fixture.services.answer_all();
    CHECK(fixture.white->received_messages().empty());
}

TEST_CASE("two users who join for the same seat do not both get it", "[chezz]") {
    Fixture fixture;
    fixture.room->join(fixture.black);
    fixture.services.answer_one();
    // Meanwhile another process gives the seat to somebody else.
    GameState state = fixture.services.state(game_id);
    take_free_seat(state, UserId{99});
    fixture.services.store(state);
    fixture.services.answer_all();
    CHECK(fixture.black->received_messages() == Texts{R"({"type":"init","relation":"observer"})"});
    CHECK(fixture.services.state(game_id).seat(Color::black) == UserId{99});
}

TEST_CASE("while the store is down a move fails and changes nothing", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.services.is_down = true;
    fixture.send(fixture.white, "e2e4");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"STORE_UNAVAILABLE"});
    CHECK(fixture.black->received_messages().empty());
    fixture.services.is_down = false;
    fixture.send(fixture.white, "d2d4");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move"});
    CHECK(fixture.plies() == 1);
}

TEST_CASE("a move that was stored although the reply was lost is sent later", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.services.loses_replies = true;
    fixture.send(fixture.white, "e2e4");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"STORE_UNAVAILABLE"});
    fixture.services.loses_replies = false;
    fixture.send(fixture.black, "e7e5");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move", "move"});
    CHECK(fixture.plies() == 2);
}

TEST_CASE("all that the store does for an event has one deadline", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.play_elsewhere("e2e4");
    const auto arrival = fixture.services.now + std::chrono::seconds{7};
    fixture.services.now = arrival;
    fixture.services.deadlines.clear();
    fixture.room->receive(fixture.white, "d2d4");
    fixture.services.now += std::chrono::seconds{1};
    fixture.services.answer_all();
    CHECK(fixture.services.deadlines == std::vector(2, arrival));  // replaced in vain, and read
}

TEST_CASE("a client who joins a missing game is disconnected", "[chezz]") {
    Fixture fixture;
    fixture.services.records.clear();
    fixture.room->join(fixture.white);
    fixture.services.answer_all();
    CHECK(kinds(fixture.white->received_messages()) == Texts{"GAME_NOT_FOUND"});
    CHECK(fixture.white->disconnected);
}

TEST_CASE("a client who leaves before the store answers does not join", "[chezz]") {
    Fixture fixture;
    fixture.room->join(fixture.black);
    fixture.black->left = true;
    fixture.room->leave(fixture.black);
    fixture.services.answer_all();
    CHECK_FALSE(fixture.services.state(game_id).seat(Color::black));
    CHECK(fixture.black->received_messages().empty());
}

TEST_CASE("a client who returns gets the moves since it left", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.send(fixture.white, "e2e4");
    fixture.room->leave(fixture.black);
    fixture.play_elsewhere("e7e5");
    fixture.black->received_messages();
    fixture.room->join(fixture.black);
    fixture.services.answer_all();
    CHECK(kinds(fixture.black->received_messages()) == Texts{"init", "move"});
}

TEST_CASE("messages beyond the queue limit are rejected", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    for (std::size_t i = 0; i <= Limits::max_queued_messages; ++i)
        fixture.room->receive(fixture.white, "e2e4");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"TOO_MANY_MESSAGES"});
    fixture.services.answer_all();
    CHECK(fixture.plies() == 1);
}

TEST_CASE("observers beyond the limit are rejected, players never", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    std::vector<std::shared_ptr<tests::FakeClient>> observers;
    for (std::size_t i = 0; i <= Limits::max_observers; ++i) {
        const auto number = 1'000 + static_cast<std::int64_t>(i);
        observers.push_back(std::make_shared<tests::FakeClient>(UserId{number}));
        fixture.room->join(observers.back());
    }
    fixture.room->join(std::make_shared<tests::FakeClient>(maker));
    fixture.services.answer_all();
    CHECK(kinds(observers.back()->received_messages()) == Texts{"TOO_MANY_OBSERVERS"});
    CHECK(observers.back()->disconnected);
    CHECK_FALSE(observers.front()->disconnected);
    // The store is not asked for those who are too many: a player's move would wait behind them.
    const auto late = std::make_shared<tests::FakeClient>(UserId{72});
    fixture.room->join(late);
    CHECK(fixture.services.pending_calls() == 0);
    CHECK(kinds(late->received_messages()) == Texts{"TOO_MANY_OBSERVERS"});
    fixture.room->close();
}

TEST_CASE("a user's oldest connection is closed beyond the limit", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    std::vector<std::shared_ptr<tests::FakeClient>> again;
    for (std::size_t i = 0; i < Limits::max_connections_of_user; ++i) {
        again.push_back(std::make_shared<tests::FakeClient>(maker));
        fixture.room->join(again.back());
    }
    fixture.services.answer_all();
    CHECK(fixture.white->disconnected);
    CHECK_FALSE(again.front()->disconnected);
    CHECK_FALSE(fixture.black->disconnected);
    fixture.send(again.back(), "e2e4");
    CHECK(kinds(again.front()->received_messages()) == Texts{"init", "move"});
    CHECK(kinds(fixture.white->received_messages()).empty());
    fixture.room->close();
}

TEST_CASE("a move is not rejected because of an unpublished change", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.play_elsewhere("e2e4");
    fixture.send(fixture.black, "e7e5");
    CHECK(kinds(fixture.black->received_messages()) == Texts{"move", "move"});
    CHECK(fixture.plies() == 2);
}

TEST_CASE("an observer's message is rejected without reading the store", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    const auto observer = std::make_shared<tests::FakeClient>(UserId{72});
    fixture.room->join(observer);
    fixture.services.answer_all();
    observer->received_messages();
    fixture.room->receive(observer, "e2e4");
    CHECK(fixture.services.pending_calls() == 0);
    CHECK(kinds(observer->received_messages()) == Texts{"NOT_YOUR_TURN"});
}

TEST_CASE("the engine plays the other side", "[chezz]") {
    Fixture fixture;
    fixture.seat_engine();
    fixture.room->join(fixture.white);
    fixture.services.answer_all();
    CHECK(fixture.services.move_requests.empty());
    fixture.send(fixture.white, "e2e4");
    REQUIRE(fixture.services.move_requests.size() == 1);
    CHECK(fixture.services.requested_state->game.moves().size() == 1);
    fixture.white->received_messages();
    // Messages in the meantime do not queue another search.
    fixture.send(fixture.white, "d2d4");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"NOT_YOUR_TURN"});
    REQUIRE(fixture.services.move_requests.size() == 1);
    fixture.services.move_requests[0](
        *core::read_move(fixture.services.requested_state->game.position(), "e5"));
    fixture.services.answer_all();
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move"});
    CHECK(fixture.plies() == 2);
}

TEST_CASE("the engine's move is stored as soon as the store works again", "[chezz]") {
    Fixture fixture;
    fixture.seat_engine();
    fixture.seat_both();
    fixture.send(fixture.white, "e2e4");
    REQUIRE(fixture.services.move_requests.size() == 1);
    fixture.white->received_messages();
    fixture.services.is_down = true;
    fixture.services.move_requests[0](
        *core::read_move(fixture.services.requested_state->game.position(), "e5"));
    fixture.services.answer_all();
    CHECK(kinds(fixture.white->received_messages()) == Texts{"STORE_UNAVAILABLE"});
    const auto retry = [&](std::size_t index) {
        REQUIRE(fixture.services.store_retries.size() == index + 1);
        fixture.services.store_retries[index]();
        fixture.services.answer_all();
    };
    retry(0);
    CHECK(fixture.white->received_messages().empty());  // it knows
    fixture.services.is_down = false;
    retry(1);
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move"});
    CHECK(fixture.plies() == 2);
    CHECK(fixture.services.store_retries.size() == 2);
}

TEST_CASE("a change by another process is read as soon as the store works again", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.play_elsewhere("e2e4");
    fixture.services.is_down = true;
    fixture.room->refresh();
    fixture.services.answer_all();
    fixture.services.is_down = false;
    CHECK(fixture.white->received_messages().empty());
    REQUIRE(fixture.services.store_retries.size() == 1);
    fixture.services.store_retries[0]();
    fixture.services.answer_all();
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move"});
}

TEST_CASE("a room that all have left is not kept for a store that is down", "[chezz]") {
    Fixture fixture;
    fixture.seat_both();
    fixture.services.is_down = true;
    fixture.room->refresh();
    fixture.services.answer_all();
    const std::weak_ptr<GameRoom> room = fixture.room;
    fixture.room->close();
    fixture.room.reset();
    CHECK(room.expired());
    fixture.services.store_retries[0]();
    CHECK(fixture.services.pending_calls() == 0);
}

TEST_CASE("the engine's move is dropped if the game has changed", "[chezz]") {
    Fixture fixture;
    fixture.seat_engine();
    fixture.room->join(fixture.white);
    fixture.services.answer_all();
    fixture.send(fixture.white, "e2e4");
    fixture.play_elsewhere("e7e5");
    fixture.white->received_messages();
    const auto before = fixture.services.requested_state->game.position();
    fixture.services.move_requests.at(0)(*core::read_move(before, "d5"));
    fixture.services.answer_all();
    CHECK(kinds(fixture.white->received_messages()) == Texts{"move"});
    CHECK(fixture.services.state(game_id).game.moves().size() == 2);
}

TEST_CASE("a move request is repeated after the engine was busy", "[chezz]") {
    Fixture fixture;
    fixture.seat_engine();
    fixture.services.engine_is_busy = true;
    fixture.room->join(fixture.white);
    fixture.services.answer_all();
    fixture.send(fixture.white, "e2e4");
    CHECK(kinds(fixture.white->received_messages()) == Texts{"init", "move", "ENGINE_BUSY"});
    REQUIRE(fixture.services.retries.size() == 1);
    fixture.services.engine_is_busy = false;
    SECTION("at the next message") {
        fixture.send(fixture.white, "d2d4");
    }
    SECTION("as soon as the queue has room") {
        fixture.services.retries.front()();
    }
    CHECK(fixture.services.move_requests.size() == 2);
}
