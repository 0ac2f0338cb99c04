#include "uci/server/local_search_queue.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "tests/catch.hpp"

using namespace std::chrono_literals;
using namespace uci::server;

namespace {

using engine::Milliseconds;
using Pvs = std::vector<engine::Info>;

engine::Limits depth(int plies) {
    engine::Limits limits;
    limits.depth = plies;
    return limits;
}

engine::Limits time_limit(Milliseconds time) {
    engine::Limits limits;
    limits.movetime = time;
    return limits;
}

SearchJob player_job(engine::Limits limits, std::string game_id = "game") {
    SearchJob job;
    job.limits = std::move(limits);
    job.game_id = std::move(game_id);
    return job;
}

SearchJob analysis_job(const core::Game& game = {}, Milliseconds time = 30s) {
    SearchJob job = player_job(time_limit(time));
    job.game = game;
    job.priority = Priority::analysis;
    return job;
}

core::Game game_after(const std::vector<std::string>& moves) {
    core::Game game;
    REQUIRE(game.play(moves));
    return game;
}

/// A queue in the thread of the test. Its timer is looked at after each response of the engine.
struct Fixture {
    explicit Fixture(SearchQueuePolicy policy = {}) : queue{engine, policy} {}

    void run_until(const std::function<bool()>& holds) {
        while (!holds()) {
            const auto response = engine.next_response();
            REQUIRE(response);
            queue.handle_response(*response);
        }
    }
    /// Submits a job that notes a number when it is done.
    std::optional<SearchQueue::JobId> note(int number, SearchJob job) {
        return queue.submit(std::move(job), [this, number](const SearchResult& result) {
            CHECK(result.best.move);
            done.push_back(number);
        });
    }

    engine::GeneralInterface engine;
    LocalSearchQueue queue;
    std::vector<int> done;
};

using Numbers = std::vector<int>;

}  // namespace

TEST_CASE("players are served in the order in which they came", "[search_queue]") {
    Fixture fixture;
    for (const int number : {1, 2, 3})
        fixture.note(number, player_job(depth(2)));
    fixture.run_until([&] { return fixture.done.size() == 3; });
    CHECK(fixture.done == Numbers{1, 2, 3});
}

TEST_CASE("a result has the best move, its score and the pv", "[search_queue]") {
    Fixture fixture;
    std::optional<SearchResult> result;
    fixture.queue.submit(player_job(depth(3)), [&](const SearchResult& found) { result = found; });
    fixture.run_until([&] { return result.has_value(); });
    REQUIRE(result->best.move);
    CHECK(result->info.depth == 3);
    CHECK(result->info.nodes > 0);
    REQUIRE_FALSE(result->info.pv.empty());
    CHECK(result->info.pv.front() == *result->best.move);
}

TEST_CASE("a job that a finished one submits goes to the end", "[search_queue]") {
    Fixture fixture;
    fixture.queue.submit(player_job(depth(1)), [&](const SearchResult&) {
        fixture.done.push_back(1);
        fixture.note(3, player_job(depth(1)));
    });
    fixture.note(2, player_job(depth(1)));
    fixture.run_until([&] { return fixture.done.size() == 3; });
    CHECK(fixture.done == Numbers{1, 2, 3});
}

TEST_CASE("an evaluation is a job without a search", "[search_queue]") {
    Fixture fixture;
    SearchJob job;
    job.kind = JobKind::evaluation;
    job.game = core::Game{*core::read_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")};
    std::optional<SearchResult> result;
    fixture.queue.submit(job, [&](const SearchResult& found) { result = found; });
    fixture.run_until([&] { return result.has_value(); });
    CHECK(result->best.score > 300);
    CHECK_FALSE(result->best.move);
}

TEST_CASE("a job may search several pvs, the next one a single pv again", "[search_queue]") {
    Fixture fixture;
    auto job = player_job(depth(3));
    job.multipv = 3;
    std::vector<SearchResult> results;
    for (const int lines : {3, 1}) {
        job.multipv = lines;
        fixture.queue.submit(job, [&](const SearchResult& found) { results.push_back(found); });
    }
    fixture.run_until([&] { return results.size() == 2; });
    REQUIRE(results[0].pvs.size() == 3);
    CHECK(results[0].pvs[0].pv.front() == *results[0].best.move);
    CHECK(results[0].pvs[0].score >= results[0].pvs[2].score);
    CHECK(results[0].pvs[2].pv.front() != results[0].pvs[0].pv.front());
    CHECK(results[1].pvs.empty());
    CHECK(results[1].best.move);
}

TEST_CASE("a move is explained by a job, also when a player interrupts it", "[search_queue]") {
    Fixture fixture;
    auto job = analysis_job(game_after({"e4", "e5", "Qh5", "Nc6"}));
    job.kind = JobKind::explanation;
    job.move = *core::read_move(job.game.position(), "Qxf7");
    std::optional<SearchResult> result;
    fixture.queue.submit(job, [&](const SearchResult& found) { result = found; });
    fixture.note(1, player_job(depth(2)));
    fixture.run_until([&] { return result.has_value(); });
    CHECK(fixture.done == Numbers{1});
    REQUIRE(result->explanation);
    CHECK(result->explanation->move == *job.move);
    CHECK(result->explanation->verdict == engine::explain::Verdict::worse);
}

TEST_CASE("an explanation ends although a player interrupts each attempt", "[search_queue]") {
    engine::GeneralInterface engine;
    int alarms = 0;
    LocalSearchQueue queue{
        engine, {}, [&](std::optional<SearchQueue::Time> time) { alarms += time ? 1 : 0; }};
    auto job = analysis_job(game_after({"e4", "e5", "Nf3"}), 5s);
    job.kind = JobKind::explanation;
    std::optional<SearchResult> explained;
    queue.submit(job, [&](const SearchResult& result) { explained = result; });
    bool waits = false;
    int moves = 0;
    while (!explained) {
        if (!std::exchange(waits, true))
            queue.submit(player_job(depth(1)), [&](const SearchResult&) {
                waits = false;
                ++moves;
            });
        const auto response = engine.next_response();
        REQUIRE(response);
        queue.handle_response(*response);
    }
    CHECK(explained->explanation);
    CHECK(moves > 0);
    CHECK(alarms > 0);
}

TEST_CASE("there is no explanation where the game is over", "[search_queue]") {
    Fixture fixture;
    auto job = analysis_job(game_after({"f3", "e5", "g4", "Qh4"}));
    job.kind = JobKind::explanation;
    std::optional<SearchResult> result;
    fixture.queue.submit(job, [&](const SearchResult& found) { result = found; });
    fixture.run_until([&] { return result.has_value(); });
    CHECK_FALSE(result->explanation);
}

// Fairness.

TEST_CASE("the more players wait the less time each is given", "[search_queue]") {
    const auto [players, expected] = GENERATE(table<std::size_t, Milliseconds>(
        {{1, 2'500ms}, {2, 2'500ms}, {10, 500ms}, {100, 50ms}, {500, 10ms}, {5'000, 5ms}}));
    SearchQueuePolicy policy;
    policy.player_round = 5s;
    policy.min_player_slice = 5ms;
    CHECK(SearchQueue::slice(policy, players) == expected);
}

TEST_CASE("a player alone has all its time, several share a round", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.player_round = 100ms;
    Fixture fixture{policy};
    const auto began = std::chrono::steady_clock::now();
    fixture.note(0, player_job(time_limit(1ms)));
    for (const int number : {1, 2, 3, 4})
        fixture.note(number, player_job(time_limit(60s)));
    fixture.run_until([&] { return fixture.done.size() == 4; });
    CHECK(fixture.done == Numbers{0, 1, 2, 3});
    CHECK(std::chrono::steady_clock::now() - began < 30s);
}

TEST_CASE("a search that others begin to wait for ends with its slice", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.player_round = 50ms;
    engine::GeneralInterface engine;
    std::optional<SearchQueue::Time> timer;
    LocalSearchQueue queue{engine, policy,
                           [&](std::optional<SearchQueue::Time> time) { timer = time; }};
    Numbers done;
    const auto note = [&done](int number) {
        return [&done, number](const SearchResult&) { done.push_back(number); };
    };
    queue.submit(player_job(time_limit(60s)), note(1));
    CHECK_FALSE(timer);
    const auto before = std::chrono::steady_clock::now();
    queue.submit(player_job(depth(1)), note(2));
    REQUIRE(timer);
    CHECK(*timer <= before + 25ms);
    std::this_thread::sleep_until(*timer);
    queue.wake();
    while (done.size() < 2)
        queue.handle_response(*engine.next_response());
    CHECK(done == Numbers{1, 2});
    CHECK_FALSE(timer);
}

TEST_CASE("a search that resumes lets others in between and keeps its time", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.player_round = 40ms;
    Fixture fixture{policy};
    const auto began = std::chrono::steady_clock::now();
    fixture.note(0, player_job(depth(1)));
    for (const int number : {1, 2}) {
        SearchJob job = player_job(time_limit(number == 1 ? 300ms : 60ms));
        job.slice_end = SliceEnd::resume;
        fixture.note(number, std::move(job));
    }
    fixture.run_until([&] { return fixture.done.size() == 3; });
    CHECK(fixture.done == Numbers{0, 2, 1});
    CHECK(std::chrono::steady_clock::now() - began >= 330ms);
}

// Priorities.

TEST_CASE("a player's search interrupts an analysis, which goes on afterwards", "[search_queue]") {
    Fixture fixture;
    int reports = 0;
    fixture.queue.submit(analysis_job(), nullptr, [&](const Pvs&) { ++reports; });
    fixture.run_until([&] { return reports == 1; });
    const auto began = std::chrono::steady_clock::now();
    fixture.note(1, player_job(depth(1)));
    fixture.run_until([&] { return fixture.done.size() == 1; });
    CHECK(std::chrono::steady_clock::now() - began < 10s);
    const int before = reports;
    fixture.run_until([&] { return reports > before; });
}

TEST_CASE("an analysis reports ever deeper pvs", "[search_queue]") {
    Fixture fixture;
    std::vector<int> depths;
    fixture.queue.submit(analysis_job(), nullptr, [&](const Pvs& pvs) {
        REQUIRE(pvs.size() == 1);
        depths.push_back(pvs[0].depth);
        CHECK_FALSE(pvs[0].pv.empty());
    });
    fixture.run_until([&] { return depths.size() == 3; });
    CHECK(std::is_sorted(depths.begin(), depths.end()));
}

TEST_CASE("an analysis reports the pvs of an iteration together, the best first",
          "[search_queue]") {
    const auto [fen, count] =
        GENERATE(table<std::string, std::size_t>({{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 3},
                                                  {"7k/8/8/8/8/8/1q6/K7 w - - 0 1", 1},
                                                  {"k7/8/8/8/8/8/7r/1K6 w - - 0 1", 2}}));
    CAPTURE(fen);
    Fixture fixture;
    auto job = analysis_job(core::Game{*core::read_fen(fen)});
    job.multipv = 3;
    std::vector<Pvs> reports;
    fixture.queue.submit(std::move(job), nullptr, [&](const Pvs& pvs) { reports.push_back(pvs); });
    fixture.run_until([&] { return reports.size() == 2; });
    for (const auto& pvs : reports) {
        REQUIRE(pvs.size() == count);
        for (std::size_t rank = 1; rank < count; ++rank) {
            CHECK(pvs[rank].pv.front() != pvs[rank - 1].pv.front());
            CHECK(pvs[rank].score <= pvs[rank - 1].score);
        }
    }
}

TEST_CASE("several analyses take turns", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.analysis_slice = 50ms;
    policy.report_interval = 0ms;
    Fixture fixture{policy};
    int first = 0;
    int second = 0;
    fixture.queue.submit(analysis_job(), nullptr, [&](const Pvs&) { ++first; });
    fixture.queue.submit(analysis_job(game_after({"d4"})), nullptr, [&](const Pvs&) { ++second; });
    fixture.run_until([&] { return first > 0 && second > 0; });
    const int before = first;
    fixture.run_until([&] { return first > before; });
}

TEST_CASE("an analysis ends with its result when its time is over", "[search_queue]") {
    Fixture fixture;
    fixture.note(1, analysis_job({}, 30ms));
    fixture.run_until([&] { return fixture.done.size() == 1; });
    // Bare kings leave nothing to find out, however long it may take.
    const core::Game bare_kings{*core::read_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")};
    fixture.note(2, analysis_job(bare_kings, 600s));
    fixture.run_until([&] { return fixture.done.size() == 2; });
}

// Cancelling and stopping.

TEST_CASE("a cancelled job has no result", "[search_queue]") {
    Fixture fixture;
    const auto running = fixture.note(1, player_job(time_limit(60s)));
    const auto waiting = fixture.note(2, player_job(time_limit(60s)));
    fixture.note(3, player_job(depth(1)));
    fixture.queue.cancel(*waiting);
    fixture.queue.cancel(*running);
    fixture.queue.cancel(12'345);
    fixture.run_until([&] { return !fixture.done.empty(); });
    CHECK(fixture.done == Numbers{3});
}

TEST_CASE("a cancelled analysis reports no more", "[search_queue]") {
    Fixture fixture;
    int reports = 0;
    const auto id = fixture.queue.submit(analysis_job(), nullptr, [&](const Pvs&) { ++reports; });
    fixture.run_until([&] { return reports == 1; });
    fixture.queue.cancel(*id);
    fixture.note(1, player_job(depth(4)));
    fixture.run_until([&] { return !fixture.done.empty(); });
    CHECK(reports == 1);
}

TEST_CASE("a stopped job ends with the best move found", "[search_queue]") {
    Fixture fixture;
    const auto running = fixture.note(1, player_job(time_limit(600s)));
    const auto waiting = fixture.note(2, player_job(time_limit(600s)));
    fixture.queue.stop(*running);
    fixture.queue.stop(*waiting);
    fixture.queue.stop(12'345);
    fixture.run_until([&] { return fixture.done.size() == 2; });
    CHECK(fixture.done == Numbers{1, 2});
}

// A full queue.

TEST_CASE("a full queue refuses a job and calls back when it has room", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_waiting_players = 3;
    Fixture fixture{policy};
    for (const int number : {0, 1, 2, 3})
        REQUIRE(fixture.note(number, player_job(depth(1))));
    CHECK(fixture.queue.is_full(Priority::player));
    CHECK_FALSE(fixture.note(4, player_job(depth(1))));
    for (const int number : {5, 6})
        fixture.queue.when_not_full(
            [&fixture, number] {
                CHECK_FALSE(fixture.queue.is_full(Priority::player));
                CHECK(fixture.note(number, player_job(depth(1))));
            },
            Priority::player);
    fixture.run_until([&] { return fixture.done.size() == 6; });
    CHECK(fixture.done == Numbers{0, 1, 2, 3, 5, 6});
}

TEST_CASE("a cancelled job makes room", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_waiting_players = 1;
    Fixture fixture{policy};
    fixture.note(1, player_job(depth(1)));
    const auto waiting = fixture.note(2, player_job(depth(1)));
    bool called = false;
    fixture.queue.when_not_full([&] { called = true; }, Priority::player);
    CHECK_FALSE(called);
    fixture.queue.cancel(*waiting);
    CHECK(called);
}

TEST_CASE("a callback that throws does not keep the others from being called", "[search_queue]") {
    Fixture fixture;
    const auto no = [] { throw std::runtime_error{"no"}; };
    CHECK_THROWS(fixture.queue.when_not_full(no, Priority::player));
    bool called = false;
    fixture.queue.when_not_full([&] { called = true; }, Priority::player);
    CHECK(called);
}

TEST_CASE("analyses are limited, and make room when they end", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_analyses = 5;
    Fixture fixture{policy};
    std::vector<SearchQueue::JobId> ids;
    for (int i = 0; i < 5; ++i)
        ids.push_back(*fixture.queue.submit(analysis_job(), nullptr));
    CHECK_FALSE(fixture.queue.submit(analysis_job(), nullptr));
    CHECK(fixture.note(1, player_job(depth(1))));
    fixture.queue.cancel(ids[4]);
    CHECK(fixture.queue.submit(analysis_job(), nullptr));
    CHECK_FALSE(fixture.queue.submit(analysis_job(), nullptr));
    fixture.queue.cancel(ids[0]);
    CHECK(fixture.queue.submit(analysis_job(), nullptr));
}

TEST_CASE("an analysis is tried again when another one has ended", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_analyses = 2;
    Fixture fixture{policy};
    fixture.queue.submit(analysis_job({}, 20ms), nullptr);
    const auto waiting = *fixture.queue.submit(analysis_job(), nullptr);
    int calls = 0;
    const auto retry = [&] {
        CHECK_FALSE(fixture.queue.is_full(Priority::analysis));
        ++calls;
        CHECK(fixture.queue.submit(analysis_job(), nullptr));
    };
    for (int i = 0; i < 3; ++i)
        fixture.queue.when_not_full(retry, Priority::analysis);
    fixture.run_until([&] { return calls == 1; });
    // Whoever cancels an analysis may begin another one in its place.
    fixture.queue.cancel(waiting);
    CHECK(calls == 1);
    CHECK(fixture.queue.submit(analysis_job(), nullptr));
    CHECK(fixture.queue.is_full(Priority::analysis));
}

// Games do not see each other's search results.

TEST_CASE("the salt differs per game, per limits and for an analysis", "[search_queue]") {
    Fixture fixture;
    std::vector<std::uint64_t> salts;
    const SearchJob first = player_job(depth(1), "a");
    salts.push_back(fixture.queue.salt_of(first));
    CHECK(fixture.queue.salt_of(first) == salts.front());
    salts.push_back(fixture.queue.salt_of(player_job(depth(1), "b")));
    salts.push_back(fixture.queue.salt_of(player_job(depth(2), "a")));
    salts.push_back(fixture.queue.salt_of(player_job(time_limit(1s), "a")));
    SearchJob analysis = analysis_job();
    analysis.game_id = "a";
    salts.push_back(fixture.queue.salt_of(analysis));
    Fixture other;
    salts.push_back(other.queue.salt_of(first));
    CHECK(std::count(salts.begin(), salts.end(), 0U) == 0);
    std::sort(salts.begin(), salts.end());
    CHECK(std::adjacent_find(salts.begin(), salts.end()) == salts.end());
}

TEST_CASE("the jobs of one client are limited", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_jobs_per_client = 2;
    Fixture fixture{policy};
    const auto submit = [&](const std::string& client, SearchJob job) {
        job.client = client;
        return fixture.queue.submit(std::move(job), nullptr);
    };
    const auto first = submit("a", player_job(time_limit(60s)));
    CHECK(first);
    CHECK(submit("a", analysis_job()));
    CHECK_FALSE(submit("a", player_job(depth(1))));
    CHECK_FALSE(submit("a", analysis_job()));
    CHECK(submit("b", player_job(depth(1))));
    for (int i = 0; i < 5; ++i)
        CHECK(submit("", player_job(depth(1))));
    fixture.queue.cancel(*first);
    CHECK(submit("a", player_job(depth(1))));
}

TEST_CASE("analyses and other jobs of a client have limits of their own", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_jobs_per_client = policy.max_analyses_per_client = 1;
    Fixture fixture{policy};
    auto job = analysis_job();
    job.client = "a";
    CHECK(fixture.queue.submit(job, nullptr));
    CHECK_FALSE(fixture.queue.submit(job, nullptr));
    job.quota = Quota::analyses;
    const auto analysis = fixture.queue.submit(job, nullptr);
    REQUIRE(analysis);
    CHECK(fixture.queue.is_full(Priority::analysis, "a", Quota::analyses));
    CHECK_FALSE(fixture.queue.submit(job, nullptr));
    bool called = false;
    fixture.queue.when_not_full([&] { called = true; }, Priority::analysis, "a", Quota::analyses);
    CHECK_FALSE(called);
    fixture.queue.stop(*analysis);
    fixture.run_until([&] { return called; });
    CHECK(fixture.queue.is_full(Priority::analysis, "a"));
}

TEST_CASE("a retry waits for a job of its own client to end", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_jobs_per_client = 1;
    Fixture fixture{policy};
    const auto of = [](const std::string& client, SearchJob job) {
        job.client = client;
        return job;
    };
    const auto first = *fixture.note(1, of("a", player_job(time_limit(60s))));
    CHECK(fixture.queue.is_full(Priority::player, "a"));
    CHECK_FALSE(fixture.queue.is_full(Priority::player, "b"));
    std::string called;
    for (const std::string client : {"a", "b", ""})
        fixture.queue.when_not_full([&called, client] { called += client + ';'; }, Priority::player,
                                    client);
    CHECK(called == "b;;");
    // A refused retry that asks again does not run in circles.
    int tries = 0;
    std::function<void()> again = [&] {
        ++tries;
        if (!fixture.note(2, of("a", player_job(depth(1)))))
            fixture.queue.when_not_full(again, Priority::player, "a");
    };
    fixture.queue.when_not_full(again, Priority::player, "a");
    CHECK(tries == 0);
    fixture.queue.stop(first);
    fixture.run_until([&] { return fixture.done.size() == 2; });
    CHECK(called == "b;;a;");
    CHECK(tries == 1);
    CHECK(fixture.done == Numbers{1, 2});
}
