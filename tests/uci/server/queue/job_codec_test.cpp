#if defined(PARLEY_REDIS)

#include "uci/server/queue/job_codec.hpp"

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "engine/analysis/jobs/job_worker.hpp"

#include "tests/catch.hpp"

using namespace uci::server::queue;
using engine::jobs::Job;
using engine::jobs::JobKind;

namespace {

Job job_after(std::string_view fen, std::initializer_list<std::string> moves) {
    Job job;
    const auto position = core::read_fen(fen);
    REQUIRE(position);
    job.game = core::Game{*position};
    REQUIRE(job.game.play(std::vector<std::string>(moves)));
    return job;
}

const std::string start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

engine::jobs::JobResult done(const Job& job) {
    static const engine::evaluate::Evaluate evaluate;
    const std::atomic<bool> never{false};
    return engine::jobs::JobWorker{evaluate, nullptr}.run(job, never);
}

}  // namespace

TEST_CASE("a job is read as it was written", "[queue]") {
    Job job =
        job_after("nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w GEge - 0 1", {"f1g1", "b7b5"});
    job.limits.nodes = 5'000;
    job.limits.movetime = engine::Milliseconds{70};
    job.limits.clocks[1] = {engine::Milliseconds{-5}, engine::Milliseconds{10}};
    job.limits.elo = 1'200;
    job.limits.analysis = true;
    job.multipv = 3;
    job.megabytes = 20;
    job.salt = ~std::uint64_t{0};
    job.uses_tables = job.wants_exact_pvs = job.wants_iterations = job.wants_reports = true;
    const auto read = read_job(write_job(job));
    REQUIRE(read);
    CHECK(read->game.start() == job.game.start());
    CHECK(read->game.moves() == job.game.moves());
    CHECK(write_job(*read) == write_job(job));
    CHECK(read->limits.clocks[1].time == engine::Milliseconds{-5});
    CHECK(read->salt == job.salt);
    CHECK(read->multipv == 3);
    CHECK(read->megabytes == 20);
}

TEST_CASE("a result is read as it was written", "[queue]") {
    Job job = job_after(start_fen, {"f2f3", "e7e5", "g2g4"});
    job.limits.nodes = 3'000;
    job.megabytes = 1;
    job.multipv = 2;
    job.wants_iterations = true;
    const auto result = done(job);
    const auto read = read_result(write_result(result), job);
    REQUIRE(read);
    CHECK(write_result(*read) == write_result(result));
    CHECK(read->best.move == result.best.move);
    CHECK(read->best.score == result.best.score);
    CHECK(read->pvs.at(1).pv == result.pvs.at(1).pv);
    CHECK_FALSE(read->iterations.empty());
    const auto pvs = read_pvs(write_pvs(result.pvs), job);
    REQUIRE(pvs);
    CHECK(pvs->at(0).pv == result.pvs.at(0).pv);
}

TEST_CASE("an explanation is read as it was written", "[queue]") {
    const auto [fen, move] = GENERATE(
        std::pair{"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "g2g4"},
        std::pair{"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "f3e5"},
        std::pair{"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"});
    CAPTURE(fen, move);
    Job job = job_after(fen, {});
    job.kind = JobKind::explanation;
    job.move = *core::read_move(job.game.position(), move);
    const auto again = read_job(write_job(job));
    REQUIRE(again);
    CHECK(again->move == job.move);
    const auto result = done(job);
    REQUIRE(result.explanation);
    const auto read = read_result(write_result(result), job);
    REQUIRE(read);
    REQUIRE(read->explanation);
    CHECK(write_result(*read) == write_result(result));
    CHECK(read->explanation->claim.has_value() == result.explanation->claim.has_value());
    CHECK(read->explanation->verdict == result.explanation->verdict);
}

TEST_CASE("a malformed job is refused with the reason", "[queue]") {
    const std::string fen = R"("fen":")" + start_fen + R"(",)";
    const auto [text, reason] = GENERATE_COPY(
        std::pair{std::string{"{"}, "job is not a JSON object"},
        std::pair{std::string(max_job_bytes + 1, ' '), "job is longer than 1048576 bytes"},
        std::pair{std::string{R"({"kind":"dance"})"}, "job: 'kind' has an unknown value"},
        std::pair{std::string{R"({"kind":"pause"})"}, "job: 'fen' is missing"},
        std::pair{R"({"kind":"pause",)" + fen + R"("limits":{}})",
                  "job: 'limits' have no movetime"},
        std::pair{R"({"kind":"pause",)" + fen + R"("limits":{"movetime":-1}})",
                  "job: 'limits' limits: 'movetime' is not from 0 to 1000000000"},
        std::pair{R"({"kind":"pause",)" + fen + R"("limits":{"movetime":1},"colour":1})",
                  "job: 'colour' is unknown"},
        std::pair{R"({"kind":"pause",)" + fen + R"("limits":{"movetime":1},"moves":"e2e4 e2e4"})",
                  "job: 'moves' has a move that is not legal"},
        std::pair{
            R"({"kind":"search",)" + fen + R"("limits":{"depth":1},"multipv":0,"hash":1,"salt":0})",
            "job: 'multipv' is not from 1 to 256"});
    CAPTURE(text.substr(0, 200));
    const auto job = read_job(text);
    REQUIRE_FALSE(job);
    CHECK(job.reason() == reason);
}

TEST_CASE("a malformed result is refused", "[queue]") {
    Job job = job_after(start_fen, {});
    job.limits.depth = 1;
    job.megabytes = 1;
    const auto good = write_result(done(job));
    REQUIRE(read_result(good, job));
    Job after = job_after(start_fen, {"e2e4"});
    after.limits.depth = 1;
    CHECK_FALSE(read_result(good, after));  // its moves are not legal there
    job.multipv = 2;
    CHECK_FALSE(read_result(good, job));
    CHECK_FALSE(read_result("{}", job));
}

TEST_CASE("a threat is not possible where the player is in check", "[queue]") {
    const auto* const fen =
        GENERATE("4k3/8/8/8/8/8/8/4K2r w - - 0 1", "4k3/8/8/8/8/8/7r/4K3 w - - 0 1");
    Job job = job_after(fen, {});
    job.kind = JobKind::explanation;
    const bool in_check = job.game.position().in_check();
    const std::string text =
        R"({"score":0,"nodes":0,"ms":0,"pvs":[],"explanation":{"move":"e1d1","better":"e1d1",)"
        R"("verdict":"best","score_of_move":0,"score_of_better":0,"only_legal":false,)"
        R"("claim":{"kind":"threat_stopped","motif":"none","amount":1,"plies":1,"pv":"",)"
        R"("squares":[],"was_threat":false}}})";
    const std::string move = in_check ? "e1d2" : "e1d1";
    auto legal = text;
    for (auto at = legal.find("e1d1"); at != std::string::npos; at = legal.find("e1d1", at + 4))
        legal.replace(at, 4, move);
    CHECK(static_cast<bool>(read_result(legal, job)) == !in_check);
}

#endif
