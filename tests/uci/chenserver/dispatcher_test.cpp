#include "uci/chenserver/dispatcher.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "uci/server/game_log.hpp"
#include "uci/server/local_search_queue.hpp"

#include "tests/catch.hpp"

using namespace uci::chenserver;

namespace {

using Lines = std::vector<std::string>;

/// A dispatcher with an engine, in the thread of the test.
struct Fixture {
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
    uci::server::LocalSearchQueue queue{engine, search_policy()};
    Dispatcher dispatcher{queue};
    Lines answered;
    Lines answers;
};

}  // namespace

TEST_CASE("commands of a game wait for its search, in their order", "[dispatcher]") {
    Fixture fixture;
    for (const char* line : {"think 50", "history", "move d9", "nonsense"})
        fixture.submit(line);
    // What cannot be parsed belongs to no game.
    CHECK(fixture.answered == Lines{"nonsense"});
    fixture.run_until_answers(4);
    CHECK(fixture.answered == Lines{"nonsense", "think 50", "history", "move d9"});
    CHECK(fixture.answers[1].substr(0, 3) == "OK ");
    CHECK(fixture.answers[2].substr(0, 5) == "OK 1 ");
    CHECK(fixture.answers[3].substr(0, 8) == "BAD_MOVE");
    CHECK(fixture.dispatcher.is_idle());
}

TEST_CASE("another game is answered while one thinks", "[dispatcher]") {
    Fixture fixture;
    fixture.submit("think 60000");
    fixture.submit("game other move e4 e5");
    fixture.submit("game other history");
    CHECK(fixture.answers == Lines{"OK 2", "OK 2 e2e4 e7e5"});
    fixture.submit("halt");
    fixture.run_until_answers(4);
    CHECK(fixture.answered
          == Lines{"game other move e4 e5", "game other history", "think 60000", "halt"});
}

TEST_CASE("halt ends the search of its own game only", "[dispatcher]") {
    Fixture fixture;
    fixture.submit("game one think 60000");
    fixture.submit("game two think 60000");
    fixture.submit("game two halt");
    fixture.run_until_answers(2);
    CHECK(fixture.answered == Lines{"game two think 60000", "game two halt"});
    fixture.submit("game one halt");
    fixture.run_until_answers(4);
    CHECK(fixture.answered.back() == "game one halt");
}

TEST_CASE("the search of a client that has gone ends, and its move is played", "[dispatcher]") {
    Fixture fixture;
    const auto id = fixture.submit("think 60000");
    fixture.submit("history");
    fixture.dispatcher.abandon(id);
    fixture.run_until_answers(2);
    CHECK(fixture.answered == Lines{"think 60000", "history"});
    CHECK(fixture.answers.back().substr(0, 5) == "OK 1 ");
}

TEST_CASE("a command that waits is dropped when its client has gone", "[dispatcher]") {
    const std::string line = GENERATE("think 60000", "undo 1", "new", "halt");
    CAPTURE(line);
    Fixture fixture;
    fixture.submit("think 60000");
    auto owned_by_reply = std::make_shared<int>();
    const std::weak_ptr<int> reply{owned_by_reply};
    bool is_answered = false;
    const auto id =
        fixture.dispatcher.submit(line, [&is_answered, owned = std::move(owned_by_reply)](
                                            const std::string& /*answer*/) { is_answered = true; });
    fixture.submit("history");
    fixture.dispatcher.abandon(id);
    CHECK(reply.expired());
    fixture.submit("halt");
    fixture.run_until_answers(3);
    CHECK(fixture.answered == Lines{"think 60000", "history", "halt"});
    CHECK(fixture.answers[1].substr(0, 5) == "OK 1 ");
    CHECK_FALSE(is_answered);
    CHECK(fixture.dispatcher.is_idle());
}

TEST_CASE("a game that is ended is gone before what waits in it", "[dispatcher]") {
    Fixture fixture;
    bool has_ended = false;
    const auto end = [&] {
        fixture.dispatcher.end_game("one",
                                    [&](const std::string& /*answer*/) { has_ended = true; });
    };
    fixture.submit("game one move e4");
    SECTION("while it thinks") {
        for (const char* line : {"game one think 60000", "game one think 60000", "game one undo 1"})
            fixture.submit(line);
        end();
        CHECK(fixture.answers == Lines{"OK 1", "GAME_CLOSED", "GAME_CLOSED"});
        fixture.run_until_answers(4);
        CHECK(fixture.answered.back() == "game one think 60000");
        CHECK(fixture.answers.back().substr(0, 3) == "OK ");
    }
    SECTION("while nothing is asked of it") {
        end();
    }
    CHECK(has_ended);
    CHECK_FALSE(fixture.dispatcher.games().contains("one"));
    CHECK(fixture.dispatcher.is_idle());
}

TEST_CASE("exit is answered after everything before it, and ends the server", "[dispatcher]") {
    Fixture fixture;
    fixture.submit("think 30");
    fixture.submit("exit");
    fixture.submit("history");
    CHECK(fixture.answers.empty());
    CHECK_FALSE(fixture.dispatcher.has_ended());
    fixture.run_until_answers(2);
    CHECK(fixture.answered == Lines{"think 30", "exit"});
    CHECK(fixture.answers.back() == "OK");
    CHECK(fixture.dispatcher.has_ended());
}

TEST_CASE("a game whose last move is taken back and played again has ended once", "[dispatcher]") {
    engine::GeneralInterface engine;
    uci::server::LocalSearchQueue queue{engine, search_policy()};
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
