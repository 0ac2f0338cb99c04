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
class Scene {
public:
    explicit Scene(const Texts& moves = {}) {
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
    Scene scene;
    scene.room->join(scene.white);
    scene.room->join(scene.black);
    scene.services.answer_all();
    CHECK(scene.white->received_messages() == Texts{R"({"type":"init","relation":"white"})"});
    CHECK(scene.black->received_messages() == Texts{R"({"type":"init","relation":"black"})"});
    CHECK(scene.services.state(game_id).seat(Color::black) == second);
    const auto observer = std::make_shared<tests::FakeClient>(UserId{72});
    scene.room->join(observer);
    scene.services.answer_all();
    CHECK(observer->received_messages() == Texts{R"({"type":"init","relation":"observer"})"});
}

TEST_CASE("a move is stored before it is sent to anyone", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.room->receive(scene.white, "e2e4");
    CHECK(scene.services.pending_calls() == 1);
    CHECK(scene.white->received_messages().empty());
    CHECK(scene.black->received_messages().empty());
    scene.services.answer_all();
    CHECK(scene.plies() == 1);
    CHECK(kinds(scene.white->received_messages()) == Texts{"move"});
    CHECK(kinds(scene.black->received_messages()) == Texts{"move"});
}

TEST_CASE("only the sender of an illegal move gets the error", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.send(scene.white, "e2e5");
    scene.send(scene.black, "e7e5");
    CHECK(kinds(scene.white->received_messages()) == Texts{"MOVE_NOT_ALLOWED"});
    CHECK(kinds(scene.black->received_messages()) == Texts{"NOT_YOUR_TURN"});
    CHECK(scene.plies() == 0);
}

TEST_CASE("messages in a burst are handled one after the other", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.room->receive(scene.white, "e2e4");
    scene.room->receive(scene.white, "d2d4");
    scene.room->receive(scene.black, "e7e5");
    scene.services.answer_all();
    CHECK(kinds(scene.white->received_messages()) == Texts{"move", "NOT_YOUR_TURN", "move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("a change by another process is sent first, then the message is validated again",
          "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.play_elsewhere("e2e4");
    scene.send(scene.white, "d2d4");
    CHECK(kinds(scene.white->received_messages()) == Texts{"move", "NOT_YOUR_TURN"});
    CHECK(kinds(scene.black->received_messages()) == Texts{"move"});
    CHECK(scene.plies() == 1);
    scene.play_elsewhere("e7e5");
    scene.room->refresh();
    scene.services.answer_all();
    CHECK(kinds(scene.white->received_messages()) == Texts{"move"});
    scene.room->refresh();
    scene.services.answer_all();
    CHECK(scene.white->received_messages().empty());
}

TEST_CASE("two users who join for the same seat do not both get it", "[chezz]") {
    Scene scene;
    scene.room->join(scene.black);
    scene.services.answer_one();
    // Meanwhile another process gives the seat to somebody else.
    GameState state = scene.services.state(game_id);
    take_free_seat(state, UserId{99});
    scene.services.store(state);
    scene.services.answer_all();
    CHECK(scene.black->received_messages() == Texts{R"({"type":"init","relation":"observer"})"});
    CHECK(scene.services.state(game_id).seat(Color::black) == UserId{99});
}

TEST_CASE("while the store is down a move fails and changes nothing", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.services.is_down = true;
    scene.send(scene.white, "e2e4");
    CHECK(kinds(scene.white->received_messages()) == Texts{"STORE_UNAVAILABLE"});
    CHECK(scene.black->received_messages().empty());
    scene.services.is_down = false;
    scene.send(scene.white, "d2d4");
    CHECK(kinds(scene.white->received_messages()) == Texts{"move"});
    CHECK(scene.plies() == 1);
}

TEST_CASE("a move that was stored although the reply was lost is sent later", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.services.loses_replies = true;
    scene.send(scene.white, "e2e4");
    CHECK(kinds(scene.white->received_messages()) == Texts{"STORE_UNAVAILABLE"});
    scene.services.loses_replies = false;
    scene.send(scene.black, "e7e5");
    CHECK(kinds(scene.white->received_messages()) == Texts{"move", "move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("a client who joins a missing game is disconnected", "[chezz]") {
    Scene scene;
    scene.services.records.clear();
    scene.room->join(scene.white);
    scene.services.answer_all();
    CHECK(kinds(scene.white->received_messages()) == Texts{"GAME_NOT_FOUND"});
    CHECK(scene.white->disconnected);
}

TEST_CASE("a client who leaves before the store answers does not join", "[chezz]") {
    Scene scene;
    scene.room->join(scene.black);
    scene.black->left = true;
    scene.room->leave(scene.black);
    scene.services.answer_all();
    CHECK_FALSE(scene.services.state(game_id).seat(Color::black));
    CHECK(scene.black->received_messages().empty());
}

TEST_CASE("a client who returns gets the moves since it left", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.send(scene.white, "e2e4");
    scene.room->leave(scene.black);
    scene.play_elsewhere("e7e5");
    scene.black->received_messages();
    scene.room->join(scene.black);
    scene.services.answer_all();
    CHECK(kinds(scene.black->received_messages()) == Texts{"init", "move"});
}

TEST_CASE("messages beyond the queue limit are rejected", "[chezz]") {
    Scene scene;
    scene.seat_both();
    for (std::size_t i = 0; i <= Limits::max_queued_messages; ++i)
        scene.room->receive(scene.white, "e2e4");
    CHECK(kinds(scene.white->received_messages()) == Texts{"TOO_MANY_MESSAGES"});
    scene.services.answer_all();
    CHECK(scene.plies() == 1);
}

TEST_CASE("observers beyond the limit are rejected, players never", "[chezz]") {
    Scene scene;
    scene.seat_both();
    std::vector<std::shared_ptr<tests::FakeClient>> observers;
    for (std::size_t i = 0; i <= Limits::max_observers; ++i) {
        const auto number = 1'000 + static_cast<std::int64_t>(i);
        observers.push_back(std::make_shared<tests::FakeClient>(UserId{number}));
        scene.room->join(observers.back());
    }
    scene.room->join(std::make_shared<tests::FakeClient>(maker));
    scene.services.answer_all();
    CHECK(kinds(observers.back()->received_messages()) == Texts{"TOO_MANY_OBSERVERS"});
    CHECK(observers.back()->disconnected);
    CHECK_FALSE(observers.front()->disconnected);
    scene.room->close();
}

TEST_CASE("a user's oldest connection is closed beyond the limit", "[chezz]") {
    Scene scene;
    scene.seat_both();
    std::vector<std::shared_ptr<tests::FakeClient>> again;
    for (std::size_t i = 0; i < Limits::max_connections_of_user; ++i) {
        again.push_back(std::make_shared<tests::FakeClient>(maker));
        scene.room->join(again.back());
    }
    scene.services.answer_all();
    CHECK(scene.white->disconnected);
    CHECK_FALSE(again.front()->disconnected);
    CHECK_FALSE(scene.black->disconnected);
    scene.send(again.back(), "e2e4");
    CHECK(kinds(again.front()->received_messages()) == Texts{"init", "move"});
    CHECK(kinds(scene.white->received_messages()).empty());
    scene.room->close();
}

TEST_CASE("a move is not rejected because of an unpublished change", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.play_elsewhere("e2e4");
    scene.send(scene.black, "e7e5");
    CHECK(kinds(scene.black->received_messages()) == Texts{"move", "move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("an observer's message is rejected without reading the store", "[chezz]") {
    Scene scene;
    scene.seat_both();
    const auto observer = std::make_shared<tests::FakeClient>(UserId{72});
    scene.room->join(observer);
    scene.services.answer_all();
    observer->received_messages();
    scene.room->receive(observer, "e2e4");
    CHECK(scene.services.pending_calls() == 0);
    CHECK(kinds(observer->received_messages()) == Texts{"NOT_YOUR_TURN"});
}

TEST_CASE("the engine plays the other side", "[chezz]") {
    Scene scene;
    scene.seat_engine();
    scene.room->join(scene.white);
    scene.services.answer_all();
    CHECK(scene.services.move_requests.empty());
    scene.send(scene.white, "e2e4");
    REQUIRE(scene.services.move_requests.size() == 1);
    CHECK(scene.services.requested_state->game.moves().size() == 1);
    scene.white->received_messages();
    // Messages in the meantime do not queue another search.
    scene.send(scene.white, "d2d4");
    CHECK(kinds(scene.white->received_messages()) == Texts{"NOT_YOUR_TURN"});
    REQUIRE(scene.services.move_requests.size() == 1);
    scene.services.move_requests[0](
        *core::read_move(scene.services.requested_state->game.position(), "e5"));
    scene.services.answer_all();
    CHECK(kinds(scene.white->received_messages()) == Texts{"move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("the engine's move is dropped if the game has changed", "[chezz]") {
    Scene scene;
    scene.seat_engine();
    scene.room->join(scene.white);
    scene.services.answer_all();
    scene.send(scene.white, "e2e4");
    scene.play_elsewhere("e7e5");
    scene.white->received_messages();
    const auto before = scene.services.requested_state->game.position();
    scene.services.move_requests.at(0)(*core::read_move(before, "d5"));
    scene.services.answer_all();
    CHECK(kinds(scene.white->received_messages()) == Texts{"move"});
    CHECK(scene.services.state(game_id).game.moves().size() == 2);
}

TEST_CASE("a move request is repeated after the engine was busy", "[chezz]") {
    Scene scene;
    scene.seat_engine();
    scene.services.engine_is_busy = true;
    scene.room->join(scene.white);
    scene.services.answer_all();
    scene.send(scene.white, "e2e4");
    CHECK(kinds(scene.white->received_messages()) == Texts{"init", "move", "ENGINE_BUSY"});
    REQUIRE(scene.services.retries.size() == 1);
    scene.services.engine_is_busy = false;
    SECTION("at the next message") {
        scene.send(scene.white, "d2d4");
    }
    SECTION("as soon as the queue has room") {
        scene.services.retries.front()();
    }
    CHECK(scene.services.move_requests.size() == 2);
}
