#include "uci/chenserver/dispatcher.hpp"

#include <string>
#include <utility>
#include <vector>

#include "uci/server/game_log.hpp"

#include "tests/catch.hpp"

using namespace uci::chenserver;

namespace {

using Lines = std::vector<std::string>;

/// A dispatcher with an engine, in the thread of the test.
struct Scene {
    Dispatcher::CommandId submit(const std::string& line) {
        return dispatcher.submit(line, [this, line](const std::string& answer) {
            answered.push_back(line);
            answers.push_back(answer);
        });
    }
    void run_until_answers(std::size_t count) {
        while (answers.size() < count) {
            const auto response = engine.next_response();
            REQUIRE(response);
            queue.handle_response(*response);
        }
    }
    engine::GeneralInterface engine;
    uci::server::SearchQueue queue{engine, search_policy()};
    Dispatcher dispatcher{queue};
    Lines answered;
    Lines answers;
};

}  // namespace

TEST_CASE("commands of a game wait for its search, in their order", "[dispatcher]") {
    Scene scene;
    for (const char* line : {"think 50", "history", "move d9", "nonsense"})
        scene.submit(line);
    // What cannot be parsed belongs to no game.
    CHECK(scene.answered == Lines{"nonsense"});
    scene.run_until_answers(4);
    CHECK(scene.answered == Lines{"nonsense", "think 50", "history", "move d9"});
    CHECK(scene.answers[1].substr(0, 3) == "OK ");
    CHECK(scene.answers[2].substr(0, 5) == "OK 1 ");
    CHECK(scene.answers[3].substr(0, 8) == "BAD_MOVE");
    CHECK(scene.dispatcher.is_idle());
}

TEST_CASE("another game is answered while one thinks", "[dispatcher]") {
    Scene scene;
    scene.submit("think 60000");
    scene.submit("game other move e4 e5");
    scene.submit("game other history");
    CHECK(scene.answers == Lines{"OK 2", "OK 2 e2e4 e7e5"});
    scene.submit("halt");
    scene.run_until_answers(4);
    CHECK(scene.answered
          == Lines{"game other move e4 e5", "game other history", "think 60000", "halt"});
}

TEST_CASE("halt ends the search of its own game only", "[dispatcher]") {
    Scene scene;
    scene.submit("game one think 60000");
    scene.submit("game two think 60000");
    scene.submit("game two halt");
    scene.run_until_answers(2);
    CHECK(scene.answered == Lines{"game two think 60000", "game two halt"});
    scene.submit("game one halt");
    scene.run_until_answers(4);
    CHECK(scene.answered.back() == "game one halt");
}

TEST_CASE("the search of a client that has gone ends, and its move is played", "[dispatcher]") {
    Scene scene;
    SECTION("while it runs") {
        const auto id = scene.submit("think 60000");
        scene.submit("history");
        scene.dispatcher.abandon(id);
    }
    SECTION("before it has begun") {
        scene.submit("think 1");
        const auto id = scene.submit("think 60000");
        scene.submit("undo 1");
        scene.submit("history");
        scene.dispatcher.abandon(id);
        scene.run_until_answers(2);
    }
    scene.run_until_answers(2);
    while (scene.answered.back() != "history")
        scene.run_until_answers(scene.answers.size() + 1);
    CHECK(scene.answers.back().substr(0, 5) == "OK 1 ");
}

TEST_CASE("exit is answered after everything before it, and ends the server", "[dispatcher]") {
    Scene scene;
    scene.submit("think 30");
    scene.submit("exit");
    scene.submit("history");
    CHECK(scene.answers.empty());
    CHECK_FALSE(scene.dispatcher.has_ended());
    scene.run_until_answers(2);
    CHECK(scene.answered == Lines{"think 30", "exit"});
    CHECK(scene.answers.back() == "OK");
    CHECK(scene.dispatcher.has_ended());
}

TEST_CASE("a game whose last move is taken back and played again has ended once", "[dispatcher]") {
    engine::GeneralInterface engine;
    uci::server::SearchQueue queue{engine, search_policy()};
    uci::server::GameLog log;
    Dispatcher dispatcher{queue, &log};
    const auto submit = [&](const std::string& line) {
        dispatcher.submit(line, [&](const std::string& answer) {
            CAPTURE(line);
            CHECK(answer.substr(0, 2) == "OK");
        });
    };
    submit("move f3 e5 g4 Qh4");
    CHECK(log.count_ended() == 1);
    submit("undo 1");
    submit("move Qh4");
    CHECK(log.count_ended() == 1);
    submit("new");
    submit("move f3 e5 g4 Qh4");
    CHECK(log.count_ended() == 2);
}
