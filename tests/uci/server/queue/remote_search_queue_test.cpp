#if defined(PARLEY_REDIS)

#include "uci/server/queue/remote_search_queue.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/movegen.hpp"

#include "engine/analysis/jobs/job_worker.hpp"

#include "tests/catch.hpp"

using namespace std::chrono_literals;
using namespace uci::server;
using namespace uci::server::queue;
using Event = JobEvent::Kind;

namespace {

/// Notes what it is asked for.
class FakeProducer : public JobProducer {
public:
    struct Added {
        std::uint64_t id;
        JobPriority priority;
        engine::jobs::Job job;
    };

    void add(std::uint64_t id, JobPriority priority, engine::jobs::Job job) override {
        added.push_back({id, priority, std::move(job)});
    }
    void withdraw(std::uint64_t id) override { withdrawn.push_back(id); }
    void stop(std::uint64_t id) override { stopped.push_back(id); }
    void put_aside(std::uint64_t id, std::string /*reason*/) override { aside.push_back(id); }

    std::vector<Added> added;
    std::vector<std::uint64_t> withdrawn;
    std::vector<std::uint64_t> stopped;
    std::vector<std::uint64_t> aside;
};

QueueState workers(std::int64_t threads) {
    QueueState state;
    state.is_reachable = true;
    if (threads > 0)
        state.status.workers.push_back({"worker", threads, 0, 0});
    return state;
}

SearchJob search(int depth = 1, std::string client = {}) {
    SearchJob job;
    job.limits.depth = depth;
    job.game_id = "game";
    job.client = std::move(client);
    return job;
}

SearchJob analysis() {
    SearchJob job;
    job.priority = Priority::analysis;
    job.limits.movetime = 30s;
    job.game_id = "game";
    return job;
}

SearchQueuePolicy unlimited() {
    SearchQueuePolicy policy;
    policy.max_waiting_players = policy.max_analyses = ~std::size_t{0};
    policy.max_jobs_per_client = policy.max_analyses_per_client = ~std::size_t{0};
    policy.clears_table = true;
    return policy;
}

/// What a worker makes of a job.
engine::jobs::JobResult done_by_worker(const engine::jobs::Job& job) {
    static const engine::evaluate::Evaluate evaluate;
    const std::atomic<bool> never{false};
    return engine::jobs::JobWorker{evaluate, nullptr}.run(job, never);
}

struct Fixture {
    explicit Fixture(RemoteSearchSettings settings = {})
        : queue{local, producer, std::move(settings), [](auto) {}} {}

    std::optional<SearchQueue::JobId> submit(SearchJob job) {
        return queue.submit(std::move(job),
                            [this](const SearchResult& result) { results.push_back(result); });
    }
    void send(Event kind, std::uint64_t id, std::string reason = {}) {
        queue.handle(JobEvent{kind, id, std::move(reason)});
    }
    void finish_elsewhere(const FakeProducer::Added& added) {
        queue.handle(JobEvent{Event::done, added.id, {}, done_by_worker(added.job)});
    }
    /// Passes the responses of the engine in this process on until so many searches are done.
    void run_until_done(std::size_t count) {
        while (results.size() < count) {
            const auto response = engine.next_response();
            REQUIRE(response);
            local.handle_response(*response);
        }
    }

    engine::GeneralInterface engine;
    LocalSearchQueue local{engine, unlimited()};
    FakeProducer producer;
    RemoteSearchQueue queue;
    std::vector<SearchResult> results;
};

}  // namespace

TEST_CASE("without workers a search is done in this process", "[remote_search_queue]") {
    Fixture fixture;
    const bool is_known = GENERATE(false, true);
    CAPTURE(is_known);
    if (is_known)
        fixture.queue.handle(GENERATE(workers(0), QueueState{false, "refused"}));
    REQUIRE(fixture.submit(search()));
    fixture.run_until_done(1);
    CHECK(fixture.results[0].best.move);
    CHECK(fixture.producer.added.empty());
    CHECK(fixture.queue.remote_statistics().in_this_process == 1);
}

TEST_CASE("a worker's result is that of the search", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(1));
    const auto id = fixture.submit(search(3));
    REQUIRE(id);
    REQUIRE(fixture.producer.added.size() == 1);
    fixture.send(Event::begun, *id);
    CHECK(fixture.queue.statistics().running == 1);
    fixture.finish_elsewhere(fixture.producer.added[0]);
    fixture.finish_elsewhere(fixture.producer.added[0]);  // the second one does not count
    REQUIRE(fixture.results.size() == 1);
    CHECK(fixture.results[0].best.move);
    CHECK(fixture.results[0].info.depth == 3);
    CHECK(fixture.queue.remote_statistics().by_workers == 1);
    CHECK(fixture.queue.statistics().running == 0);
    CHECK(fixture.queue.statistics().nodes > 0);
}

TEST_CASE("moves of games go before what somebody looks at", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(1));
    auto hint = search();
    hint.is_hint = true;
    auto explanation = analysis();
    explanation.kind = uci::server::JobKind::explanation;
    for (const auto& job : {search(), hint, analysis(), explanation})
        fixture.submit(job);
    std::vector<JobPriority> priorities;
    for (const auto& added : fixture.producer.added)
        priorities.push_back(added.priority);
    CHECK(priorities
          == std::vector{JobPriority::player, JobPriority::analysis, JobPriority::analysis,
                         JobPriority::analysis});
}

TEST_CASE("what a worker cannot do is done in this process", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(1));
    SearchJob job = search();
    if (GENERATE(true, false))
        job.kind = uci::server::JobKind::evaluation;
    else
        job.limits.searchmoves = {"a2a3"};
    fixture.submit(job);
    fixture.run_until_done(1);
    CHECK(fixture.producer.added.empty());
    CHECK(fixture.queue.remote_statistics().in_this_process == 0);
}

TEST_CASE("a search that no worker begins in time is done in this process",
          "[remote_search_queue]") {
    RemoteSearchSettings settings;
    settings.player_patience = 0ms;
    Fixture fixture{settings};
    fixture.queue.handle(workers(1));
    const auto begun = fixture.submit(search());
    fixture.send(Event::begun, *begun);
    const auto waiting = fixture.submit(search());
    fixture.queue.wake();
    CHECK(fixture.producer.withdrawn == std::vector{*waiting});
    fixture.finish_elsewhere(fixture.producer.added[1]);  // too late
    CHECK(fixture.results.empty());
    fixture.run_until_done(1);
    fixture.finish_elsewhere(fixture.producer.added[0]);
    CHECK(fixture.results.size() == 2);
}

TEST_CASE("when the queue is lost, all its searches are done in this process",
          "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(2));
    for (int i = 0; i < 3; ++i)
        fixture.submit(search());
    fixture.send(Event::begun, 1);
    fixture.queue.handle(GENERATE(workers(0), QueueState{false, "gone"}));
    CHECK(fixture.producer.withdrawn.size() == 3);
    fixture.run_until_done(3);
    CHECK(fixture.queue.remote_statistics().in_this_process == 3);
}

TEST_CASE("a refused job is done in this process", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(1));
    const auto id = fixture.submit(search());
    fixture.send(Event::refused, *id, "needs more memory");
    fixture.run_until_done(1);
    CHECK(fixture.results[0].best.move);
}

TEST_CASE("the search of a silent worker goes to another one", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(2));
    const auto id = fixture.submit(search());
    fixture.send(Event::begun, *id);
    fixture.send(Event::silent, *id);
    CHECK(fixture.producer.withdrawn == std::vector{*id});
    REQUIRE(fixture.producer.added.size() == 2);
    fixture.finish_elsewhere(fixture.producer.added[1]);
    CHECK(fixture.results.size() == 1);
}

TEST_CASE("a search that ends workers is put aside, and has a move all the same",
          "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(4));
    const auto id = fixture.submit(search(60));
    const bool is_put_aside_by_others = GENERATE(true, false);
    CAPTURE(is_put_aside_by_others);
    if (is_put_aside_by_others) {
        fixture.send(Event::failed, *id, "3 workers fell silent over it");
    }
    else {
        for (int i = 0; i < max_deaths; ++i)
            fixture.send(Event::silent, *id);
    }
    CHECK(fixture.producer.aside == std::vector{*id});
    fixture.run_until_done(1);
    CHECK(fixture.results[0].best.move);
    CHECK(fixture.results[0].info.depth == 1);
}

TEST_CASE("a cancelled search is withdrawn, and its result ignored", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(1));
    const auto id = fixture.submit(search());
    fixture.queue.cancel(*id);
    CHECK(fixture.producer.withdrawn == std::vector{*id});
    fixture.finish_elsewhere(fixture.producer.added[0]);
    CHECK(fixture.results.empty());
    fixture.queue.handle(workers(0));
    const auto here = fixture.submit(search(60));
    fixture.queue.cancel(*here);
    fixture.submit(search());
    fixture.run_until_done(1);
    CHECK(fixture.results.size() == 1);
}

TEST_CASE("a search that is stopped ends with what its worker has found, or here",
          "[remote_search_queue]") {
    RemoteSearchSettings settings;
    settings.stop_patience = 0ms;
    Fixture fixture{settings};
    fixture.queue.handle(workers(1));
    const auto id = fixture.submit(search(60));
    fixture.send(Event::begun, *id);
    fixture.queue.stop(*id);
    CHECK(fixture.producer.stopped == std::vector{*id});
    if (GENERATE(true, false)) {
        fixture.queue.handle(JobEvent{Event::done, *id, {}, done_by_worker([&] {
                                          auto job = fixture.producer.added[0].job;
                                          job.limits.depth = 2;
                                          return job;
                                      }())});
        CHECK(fixture.results.at(0).info.depth == 2);
    }
    else {
        fixture.queue.wake();
        fixture.run_until_done(1);
    }
    CHECK(fixture.results.at(0).best.move);
}

TEST_CASE("reports of a search arrive, but not shallower ones again", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(1));
    std::vector<int> depths;
    const auto id = fixture.queue.submit(
        analysis(), nullptr, [&](const auto& pvs) { depths.push_back(pvs.front().depth); });
    CHECK(fixture.producer.added[0].job.wants_reports);
    for (const int depth : {4, 5, 1, 5, 6}) {
        engine::Info info;
        info.depth = depth;
        fixture.queue.handle(JobEvent{Event::report, *id, {}, {}, {info}});
    }
    CHECK(depths == std::vector{4, 5, 5, 6});
}

TEST_CASE("the limits of a queue hold wherever searches are done", "[remote_search_queue]") {
    RemoteSearchSettings settings;
    settings.policy.max_waiting_players = 2;
    settings.policy.max_jobs_per_client = 2;
    Fixture fixture{settings};
    const bool has_workers = GENERATE(false, true);
    CAPTURE(has_workers);
    fixture.queue.handle(workers(has_workers ? 1 : 0));
    CHECK(fixture.submit(search(60, "a")));
    CHECK(fixture.submit(search(60, "a")));
    CHECK_FALSE(fixture.submit(search(60, "a")));
    CHECK(fixture.submit(search(60, "b")));
    CHECK(fixture.submit(search(60, "c")).has_value() == has_workers);  // one runs at the worker
    CHECK_FALSE(fixture.submit(search(60, "d")));
    int retries = 0;
    fixture.queue.when_not_full([&] { ++retries; }, Priority::player, "e");
    CHECK(retries == 0);
    fixture.queue.cancel(1);
    CHECK(retries == 1);
    CHECK(fixture.queue.statistics().refused == (has_workers ? 2 : 3));
}

TEST_CASE("a remote queue limits analyses and other jobs of a client each",
          "[remote_search_queue]") {
    RemoteSearchSettings settings;
    settings.policy.max_jobs_per_client = settings.policy.max_analyses_per_client = 1;
    Fixture fixture{settings};
    auto job = analysis();
    job.client = "a";
    CHECK(fixture.submit(job));
    CHECK_FALSE(fixture.submit(job));
    job.quota = Quota::analyses;
    CHECK(fixture.submit(job));
    CHECK_FALSE(fixture.submit(job));
    job.client = "b";
    CHECK(fixture.submit(job));
}

TEST_CASE("players share the time of few workers", "[remote_search_queue]") {
    RemoteSearchSettings settings;
    settings.policy.player_round = 4s;
    Fixture fixture{settings};
    fixture.queue.handle(workers(1));
    for (int i = 0; i < 8; ++i) {
        SearchJob job = search();
        job.limits = {};
        job.limits.movetime = 5s;
        fixture.submit(job);
    }
    CHECK(fixture.producer.added.front().job.limits.movetime == 5s);
    CHECK(fixture.producer.added.back().job.limits.movetime == 500ms);
}

TEST_CASE("the time on the clock that has passed is not sent", "[remote_search_queue]") {
    Fixture fixture;
    fixture.queue.handle(workers(1));
    SearchJob job = search();
    job.limits.clocks[0].time = 10s;
    job.limits.arrival -= 4s;
    fixture.submit(job);
    const auto sent = *fixture.producer.added[0].job.limits.clocks[0].time;
    CHECK(sent < 6s);
    CHECK(sent > 1s);
}

TEST_CASE("a search limited by nodes does not depend on who does it", "[remote_search_queue]") {
    const auto [nodes, elo, multipv] = GENERATE(std::tuple{20'000, 0, 1}, std::tuple{20'000, 0, 3},
                                                std::tuple{0, 1'200, 1}, std::tuple{0, 1'900, 1});
    CAPTURE(nodes, elo, multipv);
    Fixture fixture;
    fixture.engine.set_option("Hash", "64");
    SearchJob job = search();
    job.limits = {};
    job.limits.movetime = 60s;
    if (nodes > 0)
        job.limits.nodes = static_cast<std::uint64_t>(nodes);
    if (elo > 0)
        job.limits.elo = elo;
    job.multipv = multipv;
    REQUIRE(job.game.play(std::vector<std::string>{"e2e4", "e7e5", "g1f3"}));
    job.salt = 4'711;
    auto other = search(8);
    fixture.submit(other);  // leaves something in the table
    fixture.submit(job);
    fixture.run_until_done(2);
    fixture.queue.handle(workers(1));
    fixture.submit(job);
    fixture.finish_elsewhere(fixture.producer.added.at(0));
    const auto& here = fixture.results.at(1);
    const auto& there = fixture.results.at(2);
    CHECK(here.best.move == there.best.move);
    CHECK(here.best.ponder == there.best.ponder);
    CHECK(here.best.score == there.best.score);
    CHECK(here.info.depth == there.info.depth);
    CHECK(here.info.nodes == there.info.nodes);
    CHECK(here.info.pv == there.info.pv);
    REQUIRE(here.pvs.size() == there.pvs.size());
    for (std::size_t i = 0; i < here.pvs.size(); ++i) {
        CHECK(here.pvs[i].pv == there.pvs[i].pv);
        CHECK(here.pvs[i].score == there.pvs[i].score);
    }
}

#endif
