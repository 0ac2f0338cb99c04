#include "uci/chezz/room.hpp"

#include <nlohmann/json.hpp>

#include "uci/chezz/limits.hpp"

#include "tests/uci/chezz/games.hpp"
#include "tests/uci/chezz/host.hpp"

using namespace uci::chezz;
using core::Color;

namespace {

using Texts = std::vector<std::string>;

constexpr GameId game_id{5};
constexpr UserId maker{70};
constexpr UserId second{71};

/// What kinds of messages were heard; of errors, their codes.
Texts kinds(const Texts& messages) {
    Texts result;
    for (const auto& message : messages) {
        const auto json = nlohmann::json::parse(message);
        result.push_back(json["type"] == "error" ? json["code"] : json["type"]);
    }
    return result;
}

/// A game in the store, and a room for it in which two may sit.
class Scene {
public:
    explicit Scene(const Texts& moves = {}) {
        Table table = new_table(game_id, maker, Color::white);
        table.game = tests::chezz_game(moves);
        host.put(table);
    }

    /// Both players have come.
    void seat_both() {
        room->enter(white);
        room->enter(black);
        host.answer_all();
        white->news();
        black->news();
    }
    void say(const std::shared_ptr<tests::Listener>& guest, const std::string& text) {
        room->hear(guest, text);
        host.answer_all();
    }
    /// As another process would change the stored game.
    void play_elsewhere(const std::string& move) {
        Table table = host.table(game_id);
        table.game.play(*read_move_text(table.game.position(), move));
        host.put(table);
    }
    std::size_t plies() { return host.table(game_id).game.moves().size(); }

    tests::Host host;
    std::shared_ptr<Room> room = std::make_shared<Room>(host, game_id);
    std::shared_ptr<tests::Listener> white = std::make_shared<tests::Listener>(maker);
    std::shared_ptr<tests::Listener> black = std::make_shared<tests::Listener>(second);
};

}  // namespace

TEST_CASE("connecting is joining", "[chezz]") {
    Scene scene;
    scene.room->enter(scene.white);
    scene.room->enter(scene.black);
    scene.host.answer_all();
    CHECK(scene.white->news() == Texts{R"({"type":"init","relation":"white"})"});
    CHECK(scene.black->news() == Texts{R"({"type":"init","relation":"black"})"});
    CHECK(scene.host.table(game_id).seat(Color::black) == second);
    const auto observer = std::make_shared<tests::Listener>(UserId{72});
    scene.room->enter(observer);
    scene.host.answer_all();
    CHECK(observer->news() == Texts{R"({"type":"init","relation":"observer"})"});
}

TEST_CASE("a move is stored before anyone is told", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.room->hear(scene.white, "e2e4");
    CHECK(scene.host.questions() == 1);
    CHECK(scene.white->news().empty());
    CHECK(scene.black->news().empty());
    scene.host.answer_all();
    CHECK(scene.plies() == 1);
    CHECK(kinds(scene.white->news()) == Texts{"move"});
    CHECK(kinds(scene.black->news()) == Texts{"move"});
}

TEST_CASE("a refused move is told to its sender alone", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.say(scene.white, "e2e5");
    scene.say(scene.black, "e7e5");
    CHECK(kinds(scene.white->news()) == Texts{"MOVE_NOT_ALLOWED"});
    CHECK(kinds(scene.black->news()) == Texts{"NOT_YOUR_TURN"});
    CHECK(scene.plies() == 0);
}

TEST_CASE("messages in a burst are judged one after the other", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.room->hear(scene.white, "e2e4");
    scene.room->hear(scene.white, "d2d4");
    scene.room->hear(scene.black, "e7e5");
    scene.host.answer_all();
    CHECK(kinds(scene.white->news()) == Texts{"move", "NOT_YOUR_TURN", "move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("what another process played is told, then the matter judged anew", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.play_elsewhere("e2e4");
    scene.say(scene.white, "d2d4");
    CHECK(kinds(scene.white->news()) == Texts{"move", "NOT_YOUR_TURN"});
    CHECK(kinds(scene.black->news()) == Texts{"move"});
    CHECK(scene.plies() == 1);
    scene.play_elsewhere("e7e5");
    scene.room->look();
    scene.host.answer_all();
    CHECK(kinds(scene.white->news()) == Texts{"move"});
    scene.room->look();
    scene.host.answer_all();
    CHECK(scene.white->news().empty());
}

TEST_CASE("two who want the same seat do not both get it", "[chezz]") {
    Scene scene;
    scene.room->enter(scene.black);
    scene.host.answer_one();
    // Meanwhile somebody else has taken it at another process.
    Table table = scene.host.table(game_id);
    take_seat(table, UserId{99});
    scene.host.put(table);
    scene.host.answer_all();
    CHECK(scene.black->news() == Texts{R"({"type":"init","relation":"observer"})"});
    CHECK(scene.host.table(game_id).seat(Color::black) == UserId{99});
}

TEST_CASE("while the store is down nothing is pretended, and nothing lost", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.host.is_down = true;
    scene.say(scene.white, "e2e4");
    CHECK(kinds(scene.white->news()) == Texts{"STORE_UNAVAILABLE"});
    CHECK(scene.black->news().empty());
    scene.host.is_down = false;
    scene.say(scene.white, "d2d4");
    CHECK(kinds(scene.white->news()) == Texts{"move"});
    CHECK(scene.plies() == 1);
}

TEST_CASE("a move that was stored though nobody said so is told later", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.host.forgets_to_answer = true;
    scene.say(scene.white, "e2e4");
    CHECK(kinds(scene.white->news()) == Texts{"STORE_UNAVAILABLE"});
    scene.host.forgets_to_answer = false;
    scene.say(scene.black, "e7e5");
    CHECK(kinds(scene.white->news()) == Texts{"move", "move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("a game that has gone is told and left", "[chezz]") {
    Scene scene;
    scene.host.records.clear();
    scene.room->enter(scene.white);
    scene.host.answer_all();
    CHECK(kinds(scene.white->news()) == Texts{"GAME_NOT_FOUND"});
    CHECK(scene.white->dismissed);
}

TEST_CASE("who left while the store was asked is not let in", "[chezz]") {
    Scene scene;
    scene.room->enter(scene.black);
    scene.black->gone = true;
    scene.room->leave(scene.black);
    scene.host.answer_all();
    CHECK_FALSE(scene.host.table(game_id).seat(Color::black));
    CHECK(scene.black->news().empty());
}

TEST_CASE("who comes back is told what was missed", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.say(scene.white, "e2e4");
    scene.room->leave(scene.black);
    scene.play_elsewhere("e7e5");
    scene.black->news();
    scene.room->enter(scene.black);
    scene.host.answer_all();
    CHECK(kinds(scene.black->news()) == Texts{"init", "move"});
}

TEST_CASE("too many messages that wait are refused", "[chezz]") {
    Scene scene;
    scene.seat_both();
    for (std::size_t i = 0; i <= Limits::waiting_messages; ++i)
        scene.room->hear(scene.white, "e2e4");
    CHECK(kinds(scene.white->news()) == Texts{"TOO_MANY_MESSAGES"});
    scene.host.answer_all();
    CHECK(scene.plies() == 1);
}

TEST_CASE("observers beyond the limit are sent away, players never", "[chezz]") {
    Scene scene;
    scene.seat_both();
    std::vector<std::shared_ptr<tests::Listener>> observers;
    for (std::size_t i = 0; i <= Limits::observers; ++i) {
        const auto number = 1'000 + static_cast<std::int64_t>(i);
        observers.push_back(std::make_shared<tests::Listener>(UserId{number}));
        scene.room->enter(observers.back());
    }
    scene.room->enter(std::make_shared<tests::Listener>(maker));
    scene.host.answer_all();
    CHECK(kinds(observers.back()->news()) == Texts{"TOO_MANY_OBSERVERS"});
    CHECK(observers.back()->dismissed);
    CHECK_FALSE(observers.front()->dismissed);
    scene.room->close();
}

TEST_CASE("who comes too often leaves where they came first", "[chezz]") {
    Scene scene;
    scene.seat_both();
    std::vector<std::shared_ptr<tests::Listener>> again;
    for (std::size_t i = 0; i < Limits::places_of_user; ++i) {
        again.push_back(std::make_shared<tests::Listener>(maker));
        scene.room->enter(again.back());
    }
    scene.host.answer_all();
    CHECK(scene.white->dismissed);
    CHECK_FALSE(again.front()->dismissed);
    CHECK_FALSE(scene.black->dismissed);
    scene.say(again.back(), "e2e4");
    CHECK(kinds(again.front()->news()) == Texts{"init", "move"});
    CHECK(kinds(scene.white->news()).empty());
    scene.room->close();
}

TEST_CASE("nobody is refused because another process has played in silence", "[chezz]") {
    Scene scene;
    scene.seat_both();
    scene.play_elsewhere("e2e4");
    scene.say(scene.black, "e7e5");
    CHECK(kinds(scene.black->news()) == Texts{"move", "move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("what observers say is refused without asking the store", "[chezz]") {
    Scene scene;
    scene.seat_both();
    const auto observer = std::make_shared<tests::Listener>(UserId{72});
    scene.room->enter(observer);
    scene.host.answer_all();
    observer->news();
    scene.room->hear(observer, "e2e4");
    CHECK(scene.host.questions() == 0);
    CHECK(kinds(observer->news()) == Texts{"NOT_YOUR_TURN"});
}

TEST_CASE("the engine plays the other seat", "[chezz]") {
    Scene scene;
    Table table = scene.host.table(game_id);
    table.seat(Color::black) = engine_user;
    scene.host.put(table);
    scene.room->enter(scene.white);
    scene.host.answer_all();
    CHECK(scene.host.thoughts.empty());
    scene.say(scene.white, "e2e4");
    REQUIRE(scene.host.thoughts.size() == 1);
    CHECK(scene.host.thought_about->game.moves().size() == 1);
    scene.white->news();
    // Whatever is said meanwhile does not ask it again.
    scene.say(scene.white, "d2d4");
    CHECK(kinds(scene.white->news()) == Texts{"NOT_YOUR_TURN"});
    REQUIRE(scene.host.thoughts.size() == 1);
    scene.host.thoughts[0](*core::read_move(scene.host.thought_about->game.position(), "e5"));
    scene.host.answer_all();
    CHECK(kinds(scene.white->news()) == Texts{"move"});
    CHECK(scene.plies() == 2);
}

TEST_CASE("the engine's move comes too late for a game that has changed", "[chezz]") {
    Scene scene;
    Table table = scene.host.table(game_id);
    table.seat(Color::black) = engine_user;
    scene.host.put(table);
    scene.room->enter(scene.white);
    scene.host.answer_all();
    scene.say(scene.white, "e2e4");
    scene.play_elsewhere("e7e5");
    scene.white->news();
    const auto before = scene.host.thought_about->game.position();
    scene.host.thoughts.at(0)(*core::read_move(before, "d5"));
    scene.host.answer_all();
    CHECK(kinds(scene.white->news()) == Texts{"move"});
    CHECK(scene.host.table(game_id).game.moves().size() == 2);
}

TEST_CASE("an engine with too much to do is asked again later", "[chezz]") {
    Scene scene;
    Table table = scene.host.table(game_id);
    table.seat(Color::black) = engine_user;
    scene.host.put(table);
    scene.host.engine_is_busy = true;
    scene.room->enter(scene.white);
    scene.host.answer_all();
    scene.say(scene.white, "e2e4");
    CHECK(kinds(scene.white->news()) == Texts{"init", "move", "ENGINE_BUSY"});
    scene.host.engine_is_busy = false;
    scene.say(scene.white, "d2d4");
    CHECK(scene.host.thoughts.size() == 2);
}
