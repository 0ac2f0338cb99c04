#include "uci/server/search_queue.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "tests/catch.hpp"

using namespace std::chrono_literals;
using namespace uci::server;

namespace {

using engine::Milliseconds;

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
struct Scene {
    explicit Scene(SearchQueuePolicy policy = {}) : queue{engine, policy} {}

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
    SearchQueue queue;
    std::vector<int> done;
};

using Numbers = std::vector<int>;

}  // namespace

TEST_CASE("players are served in the order in which they came", "[search_queue]") {
    Scene scene;
    for (const int number : {1, 2, 3})
        scene.note(number, player_job(depth(2)));
    scene.run_until([&] { return scene.done.size() == 3; });
    CHECK(scene.done == Numbers{1, 2, 3});
}

TEST_CASE("a result has the best move, its score and the pv", "[search_queue]") {
    Scene scene;
    std::optional<SearchResult> result;
    scene.queue.submit(player_job(depth(3)), [&](const SearchResult& found) { result = found; });
    scene.run_until([&] { return result.has_value(); });
    REQUIRE(result->best.move);
    CHECK(result->info.depth == 3);
    CHECK(result->info.nodes > 0);
    REQUIRE_FALSE(result->info.pv.empty());
    CHECK(result->info.pv.front() == *result->best.move);
}

TEST_CASE("a job that a finished one submits goes to the end", "[search_queue]") {
    Scene scene;
    scene.queue.submit(player_job(depth(1)), [&](const SearchResult&) {
        scene.done.push_back(1);
        scene.note(3, player_job(depth(1)));
    });
    scene.note(2, player_job(depth(1)));
    scene.run_until([&] { return scene.done.size() == 3; });
    CHECK(scene.done == Numbers{1, 2, 3});
}

TEST_CASE("an evaluation is a job without a search", "[search_queue]") {
    Scene scene;
    SearchJob job;
    job.kind = JobKind::evaluation;
    job.game = core::Game{*core::read_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")};
    std::optional<SearchResult> result;
    scene.queue.submit(job, [&](const SearchResult& found) { result = found; });
    scene.run_until([&] { return result.has_value(); });
    CHECK(result->best.score > 300);
    CHECK_FALSE(result->best.move);
}

TEST_CASE("a job may search several pvs, the next one a single pv again", "[search_queue]") {
    Scene scene;
    auto job = player_job(depth(3));
    job.multipv = 3;
    std::vector<SearchResult> results;
    for (const int lines : {3, 1}) {
        job.multipv = lines;
        scene.queue.submit(job, [&](const SearchResult& found) { results.push_back(found); });
    }
    scene.run_until([&] { return results.size() == 2; });
    REQUIRE(results[0].pvs.size() == 3);
    CHECK(results[0].pvs[0].pv.front() == *results[0].best.move);
    CHECK(results[0].pvs[0].score >= results[0].pvs[2].score);
    CHECK(results[0].pvs[2].pv.front() != results[0].pvs[0].pv.front());
    CHECK(results[1].pvs.empty());
    CHECK(results[1].best.move);
}

TEST_CASE("a move is explained by a job, also when a player interrupts it", "[search_queue]") {
    Scene scene;
    auto job = analysis_job(game_after({"e4", "e5", "Qh5", "Nc6"}));
    job.kind = JobKind::explanation;
    job.move = *core::read_move(job.game.position(), "Qxf7");
    std::optional<SearchResult> result;
    scene.queue.submit(job, [&](const SearchResult& found) { result = found; });
    scene.note(1, player_job(depth(2)));
    scene.run_until([&] { return result.has_value(); });
    CHECK(scene.done == Numbers{1});
    REQUIRE(result->explanation);
    CHECK(result->explanation->move == *job.move);
    CHECK(result->explanation->verdict == engine::explain::Verdict::worse);
}

TEST_CASE("there is no explanation where the game is over", "[search_queue]") {
    Scene scene;
    auto job = analysis_job(game_after({"f3", "e5", "g4", "Qh4"}));
    job.kind = JobKind::explanation;
    std::optional<SearchResult> result;
    scene.queue.submit(job, [&](const SearchResult& found) { result = found; });
    scene.run_until([&] { return result.has_value(); });
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
    Scene scene{policy};
    const auto began = std::chrono::steady_clock::now();
    scene.note(0, player_job(time_limit(1ms)));
    for (const int number : {1, 2, 3, 4})
        scene.note(number, player_job(time_limit(60s)));
    scene.run_until([&] { return scene.done.size() == 4; });
    CHECK(scene.done == Numbers{0, 1, 2, 3});
    CHECK(std::chrono::steady_clock::now() - began < 30s);
}

TEST_CASE("a search that others begin to wait for ends with its slice", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.player_round = 50ms;
    engine::GeneralInterface engine;
    std::optional<SearchQueue::Time> timer;
    SearchQueue queue{engine, policy, [&](std::optional<SearchQueue::Time> time) { timer = time; }};
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
    Scene scene{policy};
    const auto began = std::chrono::steady_clock::now();
    scene.note(0, player_job(depth(1)));
    for (const int number : {1, 2}) {
        SearchJob job = player_job(time_limit(number == 1 ? 300ms : 60ms));
        job.slice_end = SliceEnd::resume;
        scene.note(number, std::move(job));
    }
    scene.run_until([&] { return scene.done.size() == 3; });
    CHECK(scene.done == Numbers{0, 2, 1});
    CHECK(std::chrono::steady_clock::now() - began >= 330ms);
}

// Priorities.

TEST_CASE("a player's search interrupts an analysis, which goes on afterwards", "[search_queue]") {
    Scene scene;
    int reports = 0;
    scene.queue.submit(analysis_job(), nullptr, [&](const engine::Info&) { ++reports; });
    scene.run_until([&] { return reports == 1; });
    const auto began = std::chrono::steady_clock::now();
    scene.note(1, player_job(depth(1)));
    scene.run_until([&] { return scene.done.size() == 1; });
    CHECK(std::chrono::steady_clock::now() - began < 10s);
    const int before = reports;
    scene.run_until([&] { return reports > before; });
}

TEST_CASE("an analysis reports ever deeper pvs", "[search_queue]") {
    Scene scene;
    std::vector<int> depths;
    scene.queue.submit(analysis_job(), nullptr, [&](const engine::Info& info) {
        depths.push_back(info.depth);
        CHECK_FALSE(info.pv.empty());
    });
    scene.run_until([&] { return depths.size() == 3; });
    CHECK(std::is_sorted(depths.begin(), depths.end()));
}

TEST_CASE("several analyses take turns", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.analysis_slice = 50ms;
    policy.report_interval = 0ms;
    Scene scene{policy};
    int first = 0;
    int second = 0;
    scene.queue.submit(analysis_job(), nullptr, [&](const engine::Info&) { ++first; });
    scene.queue.submit(analysis_job(game_after({"d4"})), nullptr,
                       [&](const engine::Info&) { ++second; });
    scene.run_until([&] { return first > 0 && second > 0; });
    const int before = first;
    scene.run_until([&] { return first > before; });
}

TEST_CASE("an analysis ends with its result when its time is over", "[search_queue]") {
    Scene scene;
    scene.note(1, analysis_job({}, 30ms));
    scene.run_until([&] { return scene.done.size() == 1; });
    // Bare kings leave nothing to find out, however long it may take.
    const core::Game bare_kings{*core::read_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")};
    scene.note(2, analysis_job(bare_kings, 600s));
    scene.run_until([&] { return scene.done.size() == 2; });
}

// Cancelling and stopping.

TEST_CASE("a cancelled job has no result", "[search_queue]") {
    Scene scene;
    const auto running = scene.note(1, player_job(time_limit(60s)));
    const auto waiting = scene.note(2, player_job(time_limit(60s)));
    scene.note(3, player_job(depth(1)));
    scene.queue.cancel(*waiting);
    scene.queue.cancel(*running);
    scene.queue.cancel(12'345);
    scene.run_until([&] { return !scene.done.empty(); });
    CHECK(scene.done == Numbers{3});
}

TEST_CASE("a cancelled analysis reports no more", "[search_queue]") {
    Scene scene;
    int reports = 0;
    const auto id =
        scene.queue.submit(analysis_job(), nullptr, [&](const engine::Info&) { ++reports; });
    scene.run_until([&] { return reports == 1; });
    scene.queue.cancel(*id);
    scene.note(1, player_job(depth(4)));
    scene.run_until([&] { return !scene.done.empty(); });
    CHECK(reports == 1);
}

TEST_CASE("a stopped job ends with the best move found", "[search_queue]") {
    Scene scene;
    const auto running = scene.note(1, player_job(time_limit(600s)));
    const auto waiting = scene.note(2, player_job(time_limit(600s)));
    scene.queue.stop(*running);
    scene.queue.stop(*waiting);
    scene.queue.stop(12'345);
    scene.run_until([&] { return scene.done.size() == 2; });
    CHECK(scene.done == Numbers{1, 2});
}

// A full queue.

TEST_CASE("a full queue refuses a job and calls back when it has room", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_waiting_players = 3;
    Scene scene{policy};
    for (const int number : {0, 1, 2, 3})
        REQUIRE(scene.note(number, player_job(depth(1))));
    CHECK(scene.queue.is_full(Priority::player));
    CHECK_FALSE(scene.note(4, player_job(depth(1))));
    for (const int number : {5, 6})
        scene.queue.when_not_full(
            [&scene, number] {
                CHECK_FALSE(scene.queue.is_full(Priority::player));
                CHECK(scene.note(number, player_job(depth(1))));
            },
            Priority::player);
    scene.run_until([&] { return scene.done.size() == 6; });
    CHECK(scene.done == Numbers{0, 1, 2, 3, 5, 6});
}

TEST_CASE("a cancelled job makes room", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_waiting_players = 1;
    Scene scene{policy};
    scene.note(1, player_job(depth(1)));
    const auto waiting = scene.note(2, player_job(depth(1)));
    bool called = false;
    scene.queue.when_not_full([&] { called = true; }, Priority::player);
    CHECK_FALSE(called);
    scene.queue.cancel(*waiting);
    CHECK(called);
}

TEST_CASE("a callback that throws does not keep the others from being called", "[search_queue]") {
    Scene scene;
    const auto no = [] { throw std::runtime_error{"no"}; };
    CHECK_THROWS(scene.queue.when_not_full(no, Priority::player));
    bool called = false;
    scene.queue.when_not_full([&] { called = true; }, Priority::player);
    CHECK(called);
}

TEST_CASE("analyses are limited, and make room when they end", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_analyses = 5;
    Scene scene{policy};
    std::vector<SearchQueue::JobId> ids;
    for (int i = 0; i < 5; ++i)
        ids.push_back(*scene.queue.submit(analysis_job(), nullptr));
    CHECK_FALSE(scene.queue.submit(analysis_job(), nullptr));
    CHECK(scene.note(1, player_job(depth(1))));
    scene.queue.cancel(ids[4]);
    CHECK(scene.queue.submit(analysis_job(), nullptr));
    CHECK_FALSE(scene.queue.submit(analysis_job(), nullptr));
    scene.queue.cancel(ids[0]);
    CHECK(scene.queue.submit(analysis_job(), nullptr));
}

TEST_CASE("an analysis is tried again when another one has ended", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_analyses = 2;
    Scene scene{policy};
    scene.queue.submit(analysis_job({}, 20ms), nullptr);
    const auto waiting = *scene.queue.submit(analysis_job(), nullptr);
    int calls = 0;
    const auto retry = [&] {
        CHECK_FALSE(scene.queue.is_full(Priority::analysis));
        ++calls;
        CHECK(scene.queue.submit(analysis_job(), nullptr));
    };
    for (int i = 0; i < 3; ++i)
        scene.queue.when_not_full(retry, Priority::analysis);
    scene.run_until([&] { return calls == 1; });
    // Whoever cancels an analysis may begin another one in its place.
    scene.queue.cancel(waiting);
    CHECK(calls == 1);
    CHECK(scene.queue.submit(analysis_job(), nullptr));
    CHECK(scene.queue.is_full(Priority::analysis));
}

// Games do not see each other's search results.

TEST_CASE("the salt differs per game, per limits and for an analysis", "[search_queue]") {
    Scene scene;
    std::vector<std::uint64_t> salts;
    const SearchJob first = player_job(depth(1), "a");
    salts.push_back(scene.queue.salt_of(first));
    CHECK(scene.queue.salt_of(first) == salts.front());
    salts.push_back(scene.queue.salt_of(player_job(depth(1), "b")));
    salts.push_back(scene.queue.salt_of(player_job(depth(2), "a")));
    salts.push_back(scene.queue.salt_of(player_job(time_limit(1s), "a")));
    SearchJob analysis = analysis_job();
    analysis.game_id = "a";
    salts.push_back(scene.queue.salt_of(analysis));
    Scene other;
    salts.push_back(other.queue.salt_of(first));
    CHECK(std::count(salts.begin(), salts.end(), 0U) == 0);
    std::sort(salts.begin(), salts.end());
    CHECK(std::adjacent_find(salts.begin(), salts.end()) == salts.end());
}

TEST_CASE("the jobs of one client are limited", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_jobs_per_client = 2;
    Scene scene{policy};
    const auto submit = [&](const std::string& client, SearchJob job) {
        job.client = client;
        return scene.queue.submit(std::move(job), nullptr);
    };
    const auto first = submit("a", player_job(time_limit(60s)));
    CHECK(first);
    CHECK(submit("a", analysis_job()));
    CHECK_FALSE(submit("a", player_job(depth(1))));
    CHECK_FALSE(submit("a", analysis_job()));
    CHECK(submit("b", player_job(depth(1))));
    for (int i = 0; i < 5; ++i)
        CHECK(submit("", player_job(depth(1))));
    scene.queue.cancel(*first);
    CHECK(submit("a", player_job(depth(1))));
}

TEST_CASE("a retry waits for a job of its own client to end", "[search_queue]") {
    SearchQueuePolicy policy;
    policy.max_jobs_per_client = 1;
    Scene scene{policy};
    const auto of = [](const std::string& client, SearchJob job) {
        job.client = client;
        return job;
    };
    const auto first = *scene.note(1, of("a", player_job(time_limit(60s))));
    CHECK(scene.queue.is_full(Priority::player, "a"));
    CHECK_FALSE(scene.queue.is_full(Priority::player, "b"));
    std::string called;
    for (const std::string client : {"a", "b", ""})
        scene.queue.when_not_full([&called, client] { called += client + ';'; }, Priority::player,
                                  client);
    CHECK(called == "b;;");
    // A refused retry that asks again does not run in circles.
    int tries = 0;
    std::function<void()> again = [&] {
        ++tries;
        if (!scene.note(2, of("a", player_job(depth(1)))))
            scene.queue.when_not_full(again, Priority::player, "a");
    };
    scene.queue.when_not_full(again, Priority::player, "a");
    CHECK(tries == 0);
    scene.queue.stop(first);
    scene.run_until([&] { return scene.done.size() == 2; });
    CHECK(called == "b;;a;");
    CHECK(tries == 1);
    CHECK(scene.done == Numbers{1, 2});
}
