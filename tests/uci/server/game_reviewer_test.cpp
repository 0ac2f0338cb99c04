#include "uci/server/game_reviewer.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "uci/server/local_search_queue.hpp"

#include "tests/catch.hpp"

using namespace std::chrono_literals;
using namespace uci::server;
using engine::review::GameReview;
using engine::review::Judgement;

namespace {

core::Game game_after(const std::vector<std::string>& moves) {
    core::Game game;
    REQUIRE(game.play(moves));
    return game;
}

// White gives a queen away, and is mated.
const std::vector<std::string> blunders{"e4",  "e5", "Qh5",  "Nc6", "Qxf7+", "Kxf7", "f3",
                                        "Nf6", "g4", "Nxg4", "h3",  "Qh4+",  "Ke2",  "Qf2+"};

SearchJob player_job() {
    SearchJob job;
    job.game_id = "other";
    job.limits.depth = 1;
    return job;
}

/// A review in the thread of the test.
struct Review {
    explicit Review(core::Game game, SearchQueuePolicy policy = {}, std::string client = {})
        : queue{engine, policy} {
        ReviewLimits limits;
        limits.nodes = 2'000;
        limits.multipv = 3;
        reviewer = std::make_shared<GameReviewer>(queue, std::move(game), "game", std::move(client),
                                                  limits);
    }
    bool start() {
        return !reviewer->start(
            [this](const auto& progress) {
                reports.push_back(progress);
                if (on_report)
                    on_report();
            },
            [this](const GameReview& review) {
                ended = true;
                result = review;
            });
    }
    void run_until(const std::function<bool()>& holds) {
        while (!holds()) {
            const auto response = engine.next_response();
            REQUIRE(response);
            queue.handle_response(*response);
        }
    }

    engine::GeneralInterface engine;
    LocalSearchQueue queue;
    std::shared_ptr<GameReviewer> reviewer;
    std::vector<GameReviewer::Progress> reports;
    std::function<void()> on_report;
    bool ended = false;
    std::optional<GameReview> result;
};

}  // namespace

TEST_CASE("a game is reviewed by jobs of the queue", "[game_reviewer]") {
    Review review{game_after(blunders)};
    REQUIRE(review.start());
    review.run_until([&] { return review.ended; });
    REQUIRE(review.result);
    REQUIRE(review.result->moves.size() == blunders.size());
    const auto& sacrifice = review.result->moves[4];
    CHECK(sacrifice.judgement == Judgement::blunder);
    CHECK(sacrifice.pvs.size() == 3);
    CHECK(sacrifice.pvs[0].score >= sacrifice.pvs[1].score);
    REQUIRE(sacrifice.explanation);
    CHECK(sacrifice.explanation->verdict == engine::explain::Verdict::worse);
    CHECK(review.result->moves[5].judgement == Judgement::fine);
    CHECK(review.result->moves[5].pvs.empty());
    CHECK(review.result->accuracy[0] < review.result->accuracy[1]);
}

TEST_CASE("a review tells how far it is", "[game_reviewer]") {
    Review review{game_after(blunders)};
    REQUIRE(review.start());
    review.run_until([&] { return review.ended; });
    REQUIRE(review.reports.size() > blunders.size() + 1);
    CHECK(review.reports.front().done == 1);
    CHECK(review.reports.front().total == blunders.size() + 1);
    CHECK_FALSE(review.reports.front().explains);
    CHECK(review.reports.back().explains);
    CHECK(review.reports.back().done == review.reports.back().total);
}

TEST_CASE("the end of a game by the rules is not searched", "[game_reviewer]") {
    Review review{game_after({"f3", "e5", "g4", "Qh4"})};
    REQUIRE(review.start());
    review.run_until([&] { return review.ended; });
    REQUIRE(review.result);
    CHECK(review.reports.front().total == 4);
    CHECK(engine::is_mate(review.result->moves.back().after.score));
    CHECK(review.result->moves.back().after.score < 0);
    CHECK(review.result->moves.back().judgement == Judgement::fine);
}

TEST_CASE("players are served while a game is reviewed", "[game_reviewer]") {
    Review review{game_after(blunders)};
    REQUIRE(review.start());
    int moves = 0;
    const std::function<void()> next = [&] {
        review.queue.submit(player_job(), [&](const SearchResult& result) {
            CHECK(result.best.move);
            if (++moves < 40)
                next();
        });
    };
    next();
    review.run_until([&] { return review.ended && moves == 40; });
    CHECK(review.result);
}

TEST_CASE("a review waits while there are too many analyses", "[game_reviewer]") {
    SearchQueuePolicy policy;
    policy.max_analyses = 1;
    Review review{game_after({"e4", "e5"}), policy};
    REQUIRE(review.start());
    // Takes the place of the review between two of its jobs.
    SearchJob analysis;
    analysis.priority = Priority::analysis;
    analysis.limits.movetime = 20ms;
    bool analysed = false;
    review.queue.when_not_full(
        [&] { review.queue.submit(analysis, [&](const SearchResult&) { analysed = true; }); },
        Priority::analysis);
    review.run_until([&] { return review.ended; });
    CHECK(review.result);
    review.run_until([&] { return analysed; });
}

TEST_CASE("a review is refused or waits when its client has too many searches", "[game_reviewer]") {
    SearchQueuePolicy policy;
    policy.max_jobs_per_client = 1;
    Review review{game_after({"e4", "e5"}), policy, "client"};
    auto other = player_job();
    other.client = "client";
    SECTION("when it begins") {
        REQUIRE(review.queue.submit(other, nullptr));
        CHECK_FALSE(review.start());
        CHECK_FALSE(review.result);
    }
    SECTION("later") {
        int others = 0;
        review.on_report = [&] { others += review.queue.submit(other, nullptr).has_value(); };
        REQUIRE(review.start());
        review.run_until([&] { return review.ended; });
        CHECK(others > 1);
        CHECK(review.result);
    }
}

TEST_CASE("a review that is dropped calls nobody", "[game_reviewer]") {
    Review review{game_after(blunders)};
    REQUIRE(review.start());
    review.run_until([&] { return review.reports.size() == 2; });
    review.reviewer.reset();
    bool moved = false;
    review.queue.submit(player_job(), [&](const SearchResult&) { moved = true; });
    review.run_until([&] { return moved; });
    CHECK(review.reports.size() == 2);
    CHECK_FALSE(review.ended);
    CHECK_FALSE(review.queue.is_full(Priority::analysis));
}
