#include "engine/commands_responses.hpp"

#include <future>
#include <thread>

#include "tests/catch.hpp"

using namespace engine;

namespace {

constexpr std::chrono::seconds soon{10};
constexpr Milliseconds a_while{30};

template <typename Kind, typename Variant>
bool is(const Variant& value) {
    return std::holds_alternative<Kind>(value);
}

/// The id of a marker.
std::uint64_t id_of(const std::optional<Response>& response) {
    REQUIRE(response);
    return std::get<Synced>(*response).id;
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
    CommandsResponses queue;
    queue.post(SetOption{"Hash", "1"});
    queue.post(NewGame{});
    queue.post(Go{});
    queue.post(Stop{});
    queue.post(Quit{});
    CHECK(std::get<SetOption>(queue.take()).name == "Hash");
    CHECK(is<NewGame>(queue.take()));
    CHECK(is<Go>(queue.take()));
    CHECK(is<Stop>(queue.take()));
    CHECK(is<Quit>(queue.take()));
}

TEST_CASE("responses come out in the order in which they were sent", "[commands_responses]") {
    CommandsResponses queue;
    for (int i = 0; i < 100; ++i)
        queue.send(Synced{static_cast<std::uint64_t>(i)});
    for (int i = 0; i < 100; ++i)
        CHECK(id_of(queue.next_response()) == static_cast<std::uint64_t>(i));
}

TEST_CASE("take() and next_response() wait", "[commands_responses]") {
    CommandsResponses queue;
    auto taker = begin_waiting([&] { queue.take(); });
    auto reader = begin_waiting([&] { queue.next_response(); });
    CHECK(is_waiting(taker));
    CHECK(is_waiting(reader));
    queue.post(NewGame{});
    CHECK(has_ended(taker));
    CHECK(is_waiting(reader));
    queue.send(Synced{1});
    CHECK(has_ended(reader));
}

TEST_CASE("the Main Task begins when somebody needs it", "[commands_responses]") {
    CommandsResponses queue;
    bool is_needed = false;
    auto task = begin_waiting([&] { is_needed = queue.wait_until_needed(); });
    queue.send(Synced{1});
    queue.wait_until(WaitFor::all_reports);  // there are none
    REQUIRE(is_waiting(task));
    SECTION("a command") {
        queue.post(SetOption{"Hash", "2"});
        REQUIRE(has_ended(task));
        CHECK(is_needed);
        CHECK(is<SetOption>(queue.take()));
    }
    SECTION("a wait until it is ready") {
        auto client = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
        REQUIRE(has_ended(task));
        CHECK(is_needed);
        CHECK(is_waiting(client));
        queue.post(Quit{});
        CHECK(is<Quit>(queue.take()));
        queue.close();
        CHECK(has_ended(client));
    }
    SECTION("nothing but its end") {
        queue.post(Quit{});
        REQUIRE(has_ended(task));
        CHECK_FALSE(is_needed);
        queue.close();
        CHECK_FALSE(queue.wait_until_needed());
    }
}

TEST_CASE("only some commands interrupt a long task", "[commands_responses]") {
    const auto task = GENERATE(LongTask::search, LongTask::perft_or_bench);
    CommandsResponses queue;
    queue.begin(task);
    CHECK_FALSE(queue.interrupt_pending());
    CHECK_FALSE(queue.take_interrupt());
    for (const Command& command : std::vector<Command>{SetOption{"Hash", "1"}, NewGame{}, SetGame{},
                                                       SetGameTo{}, SetOption{"Threads", "2"}}) {
        queue.post(command);
        CHECK_FALSE(queue.interrupt_pending());
        CHECK_FALSE(queue.take_interrupt());
    }
    queue.post(Stop{});
    CHECK(queue.interrupt_pending());
}

TEST_CASE("a long task is interrupted by what has waited since before it began",
          "[commands_responses]") {
    const auto task = GENERATE(LongTask::search, LongTask::perft_or_bench);
    CommandsResponses queue;
    queue.post(NewGame{});
    queue.post(Stop{});
    queue.begin(task);
    CHECK(queue.interrupt_pending());
    CHECK(is<Stop>(*queue.take_interrupt()));
    CHECK_FALSE(queue.interrupt_pending());
    queue.end_long_task();
    queue.post(Stop{});
    CHECK(is<NewGame>(queue.take()));
    CHECK(is<Stop>(queue.take()));
    queue.begin(task);
    CHECK_FALSE(queue.interrupt_pending());
}

TEST_CASE("stop, ponder hit and ask overtake the commands that wait for the end of a search",
          "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Stop{}, PonderHit{}, Ask{});
    CommandsResponses queue;
    queue.begin(LongTask::search);
    queue.post(SetGame{"fen", {}});
    queue.post(NewGame{});
    queue.post(command);
    queue.post(SetOption{"Hash", "1"});

    const auto taken = queue.take_interrupt();
    REQUIRE(taken);
    CHECK(taken->index() == command.index());
    CHECK_FALSE(queue.interrupt_pending());
    CHECK_FALSE(queue.take_interrupt());
    queue.end_long_task();
    CHECK(is<SetGame>(queue.take()));
    CHECK(is<NewGame>(queue.take()));
    CHECK(is<SetOption>(queue.take()));
}

TEST_CASE("the next long task stops a search and stays in the queue", "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Go{}, Perft{2}, Bench{3}, Quit{});
    CommandsResponses queue;
    queue.begin(LongTask::search);
    queue.post(SetGame{});
    queue.post(command);
    for (int again = 0; again < 3; ++again) {
        const auto taken = queue.take_interrupt();
        REQUIRE(taken);
        CHECK(is<Stop>(*taken));
        CHECK(queue.interrupt_pending());
    }
    queue.end_long_task();
    CHECK(is<SetGame>(queue.take()));
    CHECK(queue.take().index() == command.index());
}

TEST_CASE("a count is finished before the next long task, but not before quit",
          "[commands_responses]") {
    CommandsResponses queue;
    queue.begin(LongTask::perft_or_bench);
    queue.post(Go{});
    queue.post(Perft{2});
    queue.post(Bench{});
    CHECK_FALSE(queue.interrupt_pending());
    CHECK_FALSE(queue.take_interrupt());
    queue.post(Quit{});
    REQUIRE(queue.take_interrupt());
    CHECK(is<Stop>(*queue.take_interrupt()));
    queue.end_long_task();
    CHECK(is<Go>(queue.take()));
}

TEST_CASE("during a count ask waits and stop does not", "[commands_responses]") {
    CommandsResponses queue;
    queue.begin(LongTask::perft_or_bench);
    queue.post(Ask{});
    queue.post(PonderHit{});
    CHECK_FALSE(queue.interrupt_pending());
    queue.post(Stop{});
    REQUIRE(queue.interrupt_pending());
    CHECK(is<Stop>(*queue.take_interrupt()));
    queue.end_long_task();
    CHECK(is<Ask>(queue.take()));
}

TEST_CASE("a stop behind the next search is for that one, and ends what runs before it",
          "[commands_responses]") {
    const auto running = GENERATE(LongTask::search, LongTask::perft_or_bench);
    CommandsResponses queue;
    queue.begin(running);
    queue.post(Go{});
    queue.post(Stop{});
    REQUIRE(is<Stop>(*queue.take_interrupt()));
    queue.end_long_task();
    CHECK(is<Go>(queue.take()));
    queue.begin(LongTask::search);
    CHECK(queue.interrupt_pending());
    REQUIRE(is<Stop>(*queue.take_interrupt()));
    CHECK_FALSE(queue.interrupt_pending());
}

TEST_CASE("an ask before a stop is answered first", "[commands_responses]") {
    CommandsResponses queue;
    queue.begin(LongTask::search);
    queue.post(Ask{1});
    queue.post(PonderHit{});
    queue.post(Ask{2});
    queue.post(Stop{});
    CHECK(std::get<Ask>(*queue.take_interrupt()).id == 1);
    CHECK(is<PonderHit>(*queue.take_interrupt()));
    CHECK(std::get<Ask>(*queue.take_interrupt()).id == 2);
    CHECK(is<Stop>(*queue.take_interrupt()));
}

TEST_CASE("very many waiting commands stop a search", "[commands_responses]") {
    CommandsResponses queue;
    queue.begin(LongTask::search);
    constexpr int many = 20'000;
    for (int i = 0; i < many; ++i)
        queue.post(SetOption{"Hash", std::to_string(i)});
    CHECK(queue.interrupt_pending());
    CHECK(is<Stop>(*queue.take_interrupt()));
    queue.end_long_task();
    for (int i = 0; i < many; ++i)
        REQUIRE(std::get<SetOption>(queue.take()).value == std::to_string(i));
    queue.begin(LongTask::search);
    CHECK_FALSE(queue.interrupt_pending());
}

TEST_CASE("a search may sleep until it is interrupted", "[commands_responses]") {
    CommandsResponses queue;
    queue.begin(LongTask::search);
    auto sleeper = begin_waiting([&] { queue.wait_for_interrupt(); });
    queue.post(SetOption{"Hash", "1"});
    CHECK(is_waiting(sleeper));
    queue.post(PonderHit{});
    CHECK(has_ended(sleeper));
}

TEST_CASE("no interrupt is lost while the search looks at the flag", "[commands_responses]") {
    constexpr int many = 5'000;
    CommandsResponses queue;
    queue.post(Go{});
    REQUIRE(is<Go>(queue.take()));
    queue.begin(LongTask::search);
    auto searcher = begin_waiting([&] {
        for (int taken = 0; taken < many;) {
            if (!queue.interrupt_pending())
                std::this_thread::yield();
            else if (queue.take_interrupt())
                ++taken;
        }
    });
    std::vector<std::future<void>> clients;
    for (int i = 0; i < 2; ++i) {
        clients.push_back(begin_waiting([&] {
            for (int j = 0; j < many / 2; ++j) {
                queue.post(Ask{});
                while (j % 16 == 0 && queue.interrupt_pending())
                    std::this_thread::yield();
            }
        }));
    }
    for (auto& client : clients)
        CHECK(has_ended(client));
    REQUIRE(has_ended(searcher));
    CHECK_FALSE(queue.take_interrupt());
    CHECK_FALSE(queue.interrupt_pending());
}

TEST_CASE("after a stop the reader gets what comes while it spins and what comes later",
          "[commands_responses]") {
    const auto pause = std::chrono::milliseconds{GENERATE(0, 2)};  // it spins, or has gone to sleep
    CommandsResponses queue;
    std::vector<std::uint64_t> heard;
    auto reader = begin_waiting([&] {
        while (const auto response = queue.next_response()) {
            if (const auto* marker = std::get_if<Synced>(&*response))
                heard.push_back(marker->id);
        }
    });
    std::vector<std::uint64_t> sent;
    for (std::uint64_t id = 0; id < 200; ++id) {
        queue.post(Go{});
        queue.take();
        queue.begin(LongTask::search);
        queue.post(Stop{});
        std::this_thread::sleep_for(pause);
        queue.take_interrupt();
        sent.push_back(id);
        queue.send(Synced{id});
        if (id % 2 == 0)
            std::this_thread::sleep_for(pause);
        queue.end_long_task();
        queue.send(BestMove{});
    }
    queue.close();
    REQUIRE(has_ended(reader));
    CHECK(heard == sent);
}

TEST_CASE("a wait for reports ends with the last of them", "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Perft{5}, Bench{}, Why{});
    constexpr Milliseconds longest{60'000};
    CommandsResponses queue;
    auto main_task = begin_waiting([&] { queue.take(); });
    begin_waiting([&] { queue.wait_until(WaitFor::idle); }).wait();
    begin_waiting([&] { queue.wait_until(WaitFor::all_reports, longest); }).wait();

    queue.post(NewGame{});
    queue.post(command);
    main_task.wait();
    auto waiting = begin_waiting([&] { queue.wait_until(WaitFor::all_reports, longest); });
    CHECK(is_waiting(waiting));
    queue.take();
    // It has been taken and will begin at once.
    auto late = begin_waiting([&] { queue.wait_until(WaitFor::all_reports, longest); });
    CHECK(is_waiting(late));
    const bool is_search = std::holds_alternative<Why>(command);
    queue.begin(is_search ? LongTask::search : LongTask::perft_or_bench);
    CHECK(is_waiting(waiting));
    CHECK(is_waiting(late));
    queue.end_long_task();
    main_task = begin_waiting([&] { queue.take(); });
    CHECK(has_ended(waiting));
    CHECK(has_ended(late));
    queue.post(Quit{});
}

TEST_CASE("a wait for reports has a time limit and ignores a search", "[commands_responses]") {
    CommandsResponses queue;
    queue.begin(LongTask::perft_or_bench);
    auto waiting = begin_waiting([&] { queue.wait_until(WaitFor::all_reports, Milliseconds{10}); });
    CHECK(has_ended(waiting));
    queue.end_long_task();
    queue.begin(LongTask::search);
    waiting = begin_waiting([&] { queue.wait_until(WaitFor::all_reports, Milliseconds{60'000}); });
    CHECK(has_ended(waiting));
}

TEST_CASE("ready means that no command is left to handle", "[commands_responses]") {
    CommandsResponses queue;
    // The Main Task has not even begun to take commands.
    auto ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    auto idle = begin_waiting([&] { queue.wait_until(WaitFor::idle); });
    CHECK(is_waiting(ready));
    CHECK(is_waiting(idle));

    auto main_task = begin_waiting([&] { queue.take(); });
    CHECK(has_ended(ready));
    CHECK(has_ended(idle));

    // Taken, but not yet handled.
    queue.post(NewGame{});
    CHECK(has_ended(main_task));
    ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    CHECK(is_waiting(ready));
    queue.post(Quit{});
    queue.take();
    CHECK(is_waiting(ready));
    main_task = begin_waiting([&] { queue.take(); });
    CHECK(has_ended(ready));
    queue.post(Quit{});
}

TEST_CASE("a running search is ready, but not idle", "[commands_responses]") {
    CommandsResponses queue;
    queue.post(Go{});
    queue.take();
    auto ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    auto idle = begin_waiting([&] { queue.wait_until(WaitFor::idle); });
    CHECK(is_waiting(ready));
    queue.begin(engine::LongTask::search);
    CHECK(has_ended(ready));
    CHECK(is_waiting(idle));

    // What waits for the end of the search changes nothing, and a question only until it is
    // answered.
    queue.post(SetGame{});
    queue.post(NewGame{});
    ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    CHECK(has_ended(ready));
    queue.post(Ask{});
    queue.take_interrupt();
    ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    CHECK(has_ended(ready));

    queue.end_long_task();
    ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    CHECK(is_waiting(ready));
    queue.take();
    queue.take();
    auto main_task = begin_waiting([&] { queue.take(); });
    CHECK(has_ended(ready));
    CHECK(has_ended(idle));
    queue.post(Quit{});
}

TEST_CASE("a search that is to end is not ready before it has ended", "[commands_responses]") {
    const auto command = GENERATE(as<Command>{}, Stop{}, Go{}, Perft{2}, Bench{}, Quit{});
    CommandsResponses queue;
    queue.post(Go{});
    queue.take();
    queue.begin(engine::LongTask::search);
    queue.post(command);
    auto ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    CHECK(is_waiting(ready));
    queue.take_interrupt();
    CHECK(is_waiting(ready));
    queue.end_long_task();
    CHECK(is_waiting(ready));
    if (!is<Stop>(command))
        queue.take();
    auto main_task = begin_waiting([&] { queue.take(); });
    CHECK(has_ended(ready));
    queue.post(Quit{});
}

TEST_CASE("a client that does not read loses progress reports, and only those",
          "[commands_responses]") {
    CommandsResponses queue;
    constexpr int many = 5'000;
    for (int i = 0; i < many; ++i) {
        queue.send(Info{});
        queue.send(CurrentMove{});
    }
    for (int i = 0; i < many; ++i)
        queue.send(Synced{static_cast<std::uint64_t>(i)});
    queue.send(BestMove{});
    queue.send(Info{});
    queue.send(Refused{"no"});
    queue.send(Snapshot{});
    queue.close();

    int progress = 0;
    std::uint64_t markers = 0;
    int others = 0;
    while (const auto response = queue.next_response()) {
        if (is<Info>(*response) || is<CurrentMove>(*response))
            ++progress;
        else if (is<Synced>(*response))
            CHECK(id_of(response) == markers++);
        else
            ++others;
    }
    CHECK(progress == 2'000);
    CHECK(markers == many);
    CHECK(others == 3);
}

TEST_CASE("a client that never reads does not fill the memory, but loses no best move",
          "[commands_responses]") {
    CommandsResponses queue;
    for (int i = 0; i < 150'000; ++i)
        REQUIRE(queue.send(Synced{}) == (i < 100'000));
    for (int i = 0; i < 100; ++i)
        CHECK(queue.send(BestMove{}));
    queue.close();
    int markers = 0;
    int best_moves = 0;
    while (const auto response = queue.next_response())
        ++(is<BestMove>(*response) ? best_moves : markers);
    CHECK(markers == 100'000);
    CHECK(best_moves == 100);
}

TEST_CASE("unread long games do not fill the memory", "[commands_responses]") {
    Snapshot snapshot;
    const std::vector<std::string> round{"g1f3", "g8f6", "f3g1", "f6g8"};
    for (int i = 0; i < 3'000; ++i)
        REQUIRE(snapshot.game.play(round));
    CommandsResponses queue;
    int sent = 0;
    while (sent < 10'000 && queue.send(snapshot))
        ++sent;
    CHECK(sent > 100);
    CHECK(sent < 1'000);
    CHECK(queue.send(BestMove{}));
    CHECK_FALSE(queue.send(Synced{}));
    for (int i = 0; i <= sent; ++i)
        REQUIRE(queue.next_response());
    CHECK(queue.send(snapshot));
}

TEST_CASE("a client that reads again gets progress reports again", "[commands_responses]") {
    CommandsResponses queue;
    for (int i = 0; i < 3'000; ++i)
        queue.send(Info{});
    for (int i = 0; i < 2'000; ++i)
        queue.next_response();
    queue.send(CurrentMove{});
    CHECK(is<CurrentMove>(*queue.next_response()));
}

TEST_CASE("after the end the responses so far can still be read", "[commands_responses]") {
    CommandsResponses queue;
    auto ready = begin_waiting([&] { queue.wait_until(WaitFor::ready); });
    auto idle = begin_waiting([&] { queue.wait_until(WaitFor::idle); });
    queue.send(Synced{7});
    queue.close();
    CHECK(id_of(queue.next_response()) == 7);
    CHECK_FALSE(queue.next_response());
    CHECK_FALSE(queue.next_response());
    CHECK(has_ended(ready));
    CHECK(has_ended(idle));
}

TEST_CASE("the end wakes a waiting reader", "[commands_responses]") {
    CommandsResponses queue;
    auto reader = begin_waiting([&] {
        while (queue.next_response()) {
        }
    });
    queue.send(Synced{1});
    CHECK(is_waiting(reader));
    queue.close();
    CHECK(has_ended(reader));
}

TEST_CASE("many threads may post and send at the same time, and nothing is lost",
          "[commands_responses]") {
    constexpr int each = 2'000;
    CommandsResponses queue;
    std::vector<std::future<void>> writers;
    for (int i = 0; i < 3; ++i) {
        writers.push_back(begin_waiting([&] {
            for (int j = 0; j < each; ++j) {
                queue.post(SetOption{"Hash", std::to_string(j)});
                queue.send(Synced{static_cast<std::uint64_t>(j)});
            }
        }));
    }
    int taken = 0;
    int heard = 0;
    for (; taken < 3 * each; ++taken)
        queue.take();
    for (; heard < 3 * each; ++heard)
        queue.next_response();
    for (auto& writer : writers)
        CHECK(has_ended(writer));
    queue.close();
    CHECK_FALSE(queue.next_response());
}
