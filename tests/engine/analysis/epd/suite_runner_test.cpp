#include "engine/analysis/epd/suite_runner.hpp"

#include "tests/catch.hpp"

using namespace engine::epd;

namespace {

std::vector<Task> tasks() {
    std::vector<Task> all;
    for (const auto* line : {"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id \"a\";",
                             "7k/5Q2/6K1/8/8/8/8/8 b - - id \"stalemate\";",
                             "7k/8/5K2/8/8/8/8/6R1 w - - dm 2; id \"b\";",
                             "6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8; id \"c\";"})
        all.push_back(*read_task(line));
    return all;
}

SuiteRules rules(std::size_t at_once) {
    SuiteRules rules;
    rules.limits.depth = 6;
    rules.megabytes = 1;
    rules.at_once = at_once;
    return rules;
}

}  // namespace

TEST_CASE("answers come in the order of the suite, whatever runs at once", "[epd]") {
    const auto at_once = GENERATE(1, 3, 9);
    const auto suite = tasks();
    const std::atomic<bool> stop{false};
    std::vector<Answer> answers;
    SuiteRunner{rules(static_cast<std::size_t>(at_once))}.run(
        suite, stop, [&](std::size_t index, const Answer& answer) {
            CHECK(index == answers.size());
            answers.push_back(answer);
            return true;
        });
    REQUIRE(answers.size() == suite.size());
    CHECK(score_answer(suite[0], *answers[0].move, answers[0].score).solved);
    CHECK(answers[0].found);
    CHECK_FALSE(answers[1].move);
    CHECK(score_answer(suite[2], *answers[2].move, answers[2].score).solved);
    CHECK_FALSE(score_answer(suite[3], *answers[3].move, answers[3].score).solved);
    CHECK_FALSE(answers[3].found);
}

TEST_CASE("a suite ends when it is stopped or its answers are not wanted", "[epd]") {
    const auto suite = tasks();
    std::atomic<bool> stop{true};
    int count = 0;
    const auto take = [&](std::size_t /*index*/, const Answer& /*answer*/) {
        ++count;
        return false;
    };
    SuiteRunner{rules(1)}.run(suite, stop, take);
    CHECK(count == 0);
    stop = false;
    SuiteRunner{rules(2)}.run(suite, stop, take);
    CHECK(count == 1);
    SuiteRunner{rules(2)}.run({}, stop, take);
    CHECK(count == 1);
}
