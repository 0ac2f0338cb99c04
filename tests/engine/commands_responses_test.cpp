#include "engine/commands_responses.hpp"

#include <future>

#include "tests/catch.hpp"

using namespace engine;

namespace {

constexpr std::chrono::seconds soon{10};
constexpr Milliseconds a_while{30};

template <typename Kind, typename Variant>
bool is(const Variant& value) {
    return std::holds_alternative<Kind>(value);
}

std::string text_of(const std::optional<Response>& response) {
    if (!response)
        return "(end)";
    const auto* echo = std::get_if<Echo>(&*response);
    return echo ? echo->text : "(another kind)";
}

/// Something that waits, on a thread of its own.
template <typename Wait>
std::future<void> begin_waiting(Wait wait) {
    return std::async(std::launch::async, wait);
}

bool has_ended(std::future<void>& waiting) {
    return waiting.wait_for(soon) == std::future_status::ready;
}

bool is_waiting(std::future<void>& waiting) {
    return waiting.wait_for(a_while) == std::future_status::timeout;
}

}  // namespace

TEST_CASE("commands are taken in the order in which they came", "[commands_responses]") {
    CommandsResponses link;
    link.post(SetOption{"Hash", "1"});
    link.post(NewGame{});
    link.post(Go{});
    link.post(Stop{});
    link.post(Quit{});
    CHECK(std::get<SetOption>(link.take()).name == "Hash");
    CHECK(is<NewGame>(link.take()));
    CHECK(is<Go>(link.take()));
    CHECK(is<Stop>(link.take()));
    CHECK(is<Quit>(link.take()));
}

TEST_CASE("responses come out in the order in which they were sent", "[commands_responses]") {
    CommandsResponses link;
    for (int i = 0; i < 100; ++i)
        link.send(Echo{std::to_string(i)});
    for (int i = 0; i < 100; ++i)
        CHECK(text_of(link.next_response()) == std::to_string(i));
}

TEST_CASE("both ends wait for what is yet to come", "[commands_responses]") {
    CommandsResponses link;
    auto taker = begin_waiting([&] { link.take(); });
    auto reader = begin_waiting([&] { link.next_response(); });
    CHECK(is_waiting(taker));
    CHECK(is_waiting(reader));
    link.post(NewGame{});
    CHECK(has_ended(taker));
    CHECK(is_waiting(reader));
    link.send(Echo{"x"});
    CHECK(has_ended(reader));
}

TEST_CASE("a long task is told of what concerns it, and of nothing else", "[commands_responses]") {
    const auto task = GENERATE(LongTask::search, LongTask::count);
    CommandsResponses link;
    link.begin(task);
    CHECK_FALSE(link.concerns_long_task());
    CHECK_FALSE(link.take_for_long_task());
    for (const Command& command : std::vector<Command>{SetOption{"Hash", "1"}, NewGame{}, SetGame{},
                                                       TakeGame{}, SetOption{"Threads", "2"}}) {
        link.post(command);
        CHECK_FALSE(link.concerns_long_task());
        CHECK_FALSE(link.take_for_long_task());
    }
    link.post(Stop{});
    CHECK(link.concerns_long_task());
}

TEST_CASE("a long task is told of what has waited since before it began", "[commands_responses]") {
    const auto task = GENERATE(LongTask::search, LongTask::count);
    CommandsResponses link;
    link.post(NewGame{});
    link.post(Stop{});
    link.begin(task);
    CHECK(link.concerns_long_task());
    CHECK(is<Stop>(*link.take_for_long_task()));
    CHECK_FALSE(link.concerns_long_task());
    link.end_long_task();
    link.post(Stop{});
    CHECK(is<NewGame>(link.take()));
    CHECK(is<Stop>(link.take()));
    link.begin(task);
    CHECK_FALSE(link.concerns_long_task());
}

TEST_CASE("stop, ponder hit and questions are obeyed in place, past those that wait",
          "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Stop{}, PonderHit{}, Ask{"d"});
    CommandsResponses link;
    link.begin(LongTask::search);
    link.post(SetGame{"fen", {}});
    link.post(NewGame{});
    link.post(command);
    link.post(SetOption{"Hash", "1"});

    const auto taken = link.take_for_long_task();
    REQUIRE(taken);
    CHECK(taken->index() == command.index());
    CHECK_FALSE(link.concerns_long_task());
    CHECK_FALSE(link.take_for_long_task());
    CHECK(is<SetGame>(link.take()));
    CHECK(is<NewGame>(link.take()));
    CHECK(is<SetOption>(link.take()));
}

TEST_CASE("for a search another long task stands for a stop, and stays", "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Go{}, Perft{2}, Bench{3}, Quit{});
    CommandsResponses link;
    link.begin(LongTask::search);
    link.post(SetGame{});
    link.post(command);
    for (int again = 0; again < 3; ++again) {
        const auto taken = link.take_for_long_task();
        REQUIRE(taken);
        CHECK(is<Stop>(*taken));
        CHECK(link.concerns_long_task());
    }
    link.end_long_task();
    CHECK(is<SetGame>(link.take()));
    CHECK(link.take().index() == command.index());
}

TEST_CASE("counting is finished before another long task, but not before the end",
          "[commands_responses]") {
    CommandsResponses link;
    link.begin(LongTask::count);
    link.post(Go{});
    link.post(Perft{2});
    link.post(Bench{});
    CHECK_FALSE(link.concerns_long_task());
    CHECK_FALSE(link.take_for_long_task());
    link.post(Quit{});
    REQUIRE(link.take_for_long_task());
    CHECK(is<Stop>(*link.take_for_long_task()));
    link.end_long_task();
    CHECK(is<Go>(link.take()));
}

TEST_CASE("while something is counted, questions wait and a stop does not",
          "[commands_responses]") {
    CommandsResponses link;
    link.begin(LongTask::count);
    link.post(Ask{"d"});
    link.post(PonderHit{});
    CHECK_FALSE(link.concerns_long_task());
    link.post(Stop{});
    REQUIRE(link.concerns_long_task());
    CHECK(is<Stop>(*link.take_for_long_task()));
    link.end_long_task();
    CHECK(is<Ask>(link.take()));
}

TEST_CASE("a stop behind the next search is for that one, and ends what runs before it",
          "[commands_responses]") {
    const auto running = GENERATE(LongTask::search, LongTask::count);
    CommandsResponses link;
    link.begin(running);
    link.post(Go{});
    link.post(Stop{});
    REQUIRE(is<Stop>(*link.take_for_long_task()));
    link.end_long_task();
    CHECK(is<Go>(link.take()));
    link.begin(LongTask::search);
    CHECK(link.concerns_long_task());
    REQUIRE(is<Stop>(*link.take_for_long_task()));
    CHECK_FALSE(link.concerns_long_task());
}

TEST_CASE("questions before a stop are answered first", "[commands_responses]") {
    CommandsResponses link;
    link.begin(LongTask::search);
    link.post(Ask{"one"});
    link.post(PonderHit{});
    link.post(Ask{"two"});
    link.post(Stop{});
    CHECK(std::get<Ask>(*link.take_for_long_task()).subject == "one");
    CHECK(is<PonderHit>(*link.take_for_long_task()));
    CHECK(std::get<Ask>(*link.take_for_long_task()).subject == "two");
    CHECK(is<Stop>(*link.take_for_long_task()));
}

TEST_CASE("a client that sends and sends does not want the search to go on",
          "[commands_responses]") {
    CommandsResponses link;
    link.begin(LongTask::search);
    constexpr int many = 20'000;
    for (int i = 0; i < many; ++i)
        link.post(SetOption{"Hash", std::to_string(i)});
    CHECK(link.concerns_long_task());
    CHECK(is<Stop>(*link.take_for_long_task()));
    link.end_long_task();
    for (int i = 0; i < many; ++i)
        REQUIRE(std::get<SetOption>(link.take()).value == std::to_string(i));
    link.begin(LongTask::search);
    CHECK_FALSE(link.concerns_long_task());
}

TEST_CASE("a search may sleep until something concerns it", "[commands_responses]") {
    CommandsResponses link;
    link.begin(LongTask::search);
    auto sleeper = begin_waiting([&] { link.wait_for_long_task_command(); });
    link.post(SetOption{"Hash", "1"});
    CHECK(is_waiting(sleeper));
    link.post(PonderHit{});
    CHECK(has_ended(sleeper));
}

TEST_CASE("a wait for counts ends with the last of them", "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Perft{5}, Bench{});
    constexpr Milliseconds longest{60'000};
    CommandsResponses link;
    auto main_task = begin_waiting([&] { link.take(); });
    begin_waiting([&] { link.wait_until_idle(); }).wait();
    begin_waiting([&] { link.wait_for_counts(longest); }).wait();

    link.post(NewGame{});
    link.post(command);
    main_task.wait();
    auto waiting = begin_waiting([&] { link.wait_for_counts(longest); });
    CHECK(is_waiting(waiting));
    link.take();
    // It has been taken and will begin at once.
    auto late = begin_waiting([&] { link.wait_for_counts(longest); });
    CHECK(is_waiting(late));
    link.begin(LongTask::count);
    CHECK(is_waiting(waiting));
    CHECK(is_waiting(late));
    link.end_long_task();
    main_task = begin_waiting([&] { link.take(); });
    CHECK(has_ended(waiting));
    CHECK(has_ended(late));
    link.post(Quit{});
}

TEST_CASE("a wait for counts ends in time, and takes no notice of a search",
          "[commands_responses]") {
    CommandsResponses link;
    link.begin(LongTask::count);
    auto waiting = begin_waiting([&] { link.wait_for_counts(Milliseconds{10}); });
    CHECK(has_ended(waiting));
    link.begin(LongTask::search);
    waiting = begin_waiting([&] { link.wait_for_counts(Milliseconds{60'000}); });
    CHECK(has_ended(waiting));
}

TEST_CASE("ready means that nothing is left to do", "[commands_responses]") {
    CommandsResponses link;
    // The Main Task has not even begun to take commands.
    auto ready = begin_waiting([&] { link.wait_until_ready(); });
    auto idle = begin_waiting([&] { link.wait_until_idle(); });
    CHECK(is_waiting(ready));
    CHECK(is_waiting(idle));

    auto main_task = begin_waiting([&] { link.take(); });
    CHECK(has_ended(ready));
    CHECK(has_ended(idle));

    // Taken, but not yet handled.
    link.post(NewGame{});
    CHECK(has_ended(main_task));
    ready = begin_waiting([&] { link.wait_until_ready(); });
    CHECK(is_waiting(ready));
    link.post(Quit{});
    link.take();
    CHECK(is_waiting(ready));
    main_task = begin_waiting([&] { link.take(); });
    CHECK(has_ended(ready));
    link.post(Quit{});
}

TEST_CASE("ready is also who searches, but not idle", "[commands_responses]") {
    CommandsResponses link;
    link.post(Go{});
    link.take();
    auto ready = begin_waiting([&] { link.wait_until_ready(); });
    auto idle = begin_waiting([&] { link.wait_until_idle(); });
    CHECK(is_waiting(ready));
    link.begin(engine::LongTask::search);
    CHECK(has_ended(ready));
    CHECK(is_waiting(idle));

    // What waits for the end of the search changes nothing, and a question only until it is
    // answered.
    link.post(SetGame{});
    link.post(NewGame{});
    ready = begin_waiting([&] { link.wait_until_ready(); });
    CHECK(has_ended(ready));
    link.post(Ask{"d"});
    link.take_for_long_task();
    ready = begin_waiting([&] { link.wait_until_ready(); });
    CHECK(has_ended(ready));

    link.end_long_task();
    ready = begin_waiting([&] { link.wait_until_ready(); });
    CHECK(is_waiting(ready));
    link.take();
    link.take();
    auto main_task = begin_waiting([&] { link.take(); });
    CHECK(has_ended(ready));
    CHECK(has_ended(idle));
    link.post(Quit{});
}

TEST_CASE("a search that is to end is not ready before it has ended", "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Stop{}, Go{}, Perft{2}, Bench{}, Quit{});
    CommandsResponses link;
    link.post(Go{});
    link.take();
    link.begin(engine::LongTask::search);
    link.post(command);
    auto ready = begin_waiting([&] { link.wait_until_ready(); });
    CHECK(is_waiting(ready));
    link.take_for_long_task();
    CHECK(is_waiting(ready));
    link.end_long_task();
    CHECK(is_waiting(ready));
    if (!is<Stop>(command))
        link.take();
    auto main_task = begin_waiting([&] { link.take(); });
    CHECK(has_ended(ready));
    link.post(Quit{});
}

TEST_CASE("who does not listen loses reports of progress, and only those", "[commands_responses]") {
    CommandsResponses link;
    constexpr int many = 5'000;
    for (int i = 0; i < many; ++i) {
        link.send(Info{});
        link.send(CurrentMove{});
    }
    for (int i = 0; i < many; ++i)
        link.send(Echo{std::to_string(i)});
    link.send(BestMove{});
    link.send(Info{});
    link.send(Refused{"no"});
    link.send(Snapshot{});
    link.close();

    int progress = 0;
    int echoes = 0;
    int others = 0;
    while (const auto response = link.next_response()) {
        if (is<Info>(*response) || is<CurrentMove>(*response))
            ++progress;
        else if (is<Echo>(*response))
            CHECK(text_of(response) == std::to_string(echoes++));
        else
            ++others;
    }
    CHECK(progress == 2'000);
    CHECK(echoes == many);
    CHECK(others == 3);
}

TEST_CASE("who never listens does not fill the memory, but misses no best move",
          "[commands_responses]") {
    CommandsResponses link;
    for (int i = 0; i < 150'000; ++i)
        link.send(Echo{});
    for (int i = 0; i < 100; ++i)
        link.send(BestMove{});
    link.close();
    int echoes = 0;
    int best_moves = 0;
    while (const auto response = link.next_response())
        ++(is<BestMove>(*response) ? best_moves : echoes);
    CHECK(echoes == 100'000);
    CHECK(best_moves == 100);
}

TEST_CASE("who listens again hears of progress again", "[commands_responses]") {
    CommandsResponses link;
    for (int i = 0; i < 3'000; ++i)
        link.send(Info{});
    for (int i = 0; i < 2'000; ++i)
        link.next_response();
    link.send(CurrentMove{});
    CHECK(is<CurrentMove>(*link.next_response()));
}

TEST_CASE("after the end what was said is heard, then nothing", "[commands_responses]") {
    CommandsResponses link;
    auto ready = begin_waiting([&] { link.wait_until_ready(); });
    auto idle = begin_waiting([&] { link.wait_until_idle(); });
    link.send(Echo{"last words"});
    link.close();
    CHECK(text_of(link.next_response()) == "last words");
    CHECK_FALSE(link.next_response());
    CHECK_FALSE(link.next_response());
    CHECK(has_ended(ready));
    CHECK(has_ended(idle));
}

TEST_CASE("the end wakes who listens", "[commands_responses]") {
    CommandsResponses link;
    auto reader = begin_waiting([&] {
        while (link.next_response()) {
        }
    });
    link.send(Echo{"x"});
    CHECK(is_waiting(reader));
    link.close();
    CHECK(has_ended(reader));
}

TEST_CASE("many may post and send at the same time, and nothing is lost", "[commands_responses]") {
    constexpr int each = 2'000;
    CommandsResponses link;
    std::vector<std::future<void>> writers;
    for (int i = 0; i < 3; ++i) {
        writers.push_back(begin_waiting([&] {
            for (int j = 0; j < each; ++j) {
                link.post(SetOption{"Hash", std::to_string(j)});
                link.send(Echo{std::to_string(j)});
            }
        }));
    }
    int taken = 0;
    int heard = 0;
    for (; taken < 3 * each; ++taken)
        link.take();
    for (; heard < 3 * each; ++heard)
        link.next_response();
    for (auto& writer : writers)
        CHECK(has_ended(writer));
    link.close();
    CHECK_FALSE(link.next_response());
}
