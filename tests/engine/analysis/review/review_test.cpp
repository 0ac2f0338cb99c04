#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "core/notation.hpp"
#include "core/pgn.hpp"

#include "engine/analysis/review/annotate.hpp"
#include "engine/analysis/review/game_review.hpp"

#include "tests/catch.hpp"

using namespace engine;
using namespace engine::review;
using namespace std::string_literals;

namespace {

core::AnnotatedGame game_of(std::string_view text) {
    auto game = core::read_annotated_game(text);
    REQUIRE(game);
    return *game;
}

const std::atomic<bool> never{false};

std::vector<PositionReview> reviews_of(const core::AnnotatedGame& game, ReviewRules rules) {
    const auto reviews = PositionReviewer{rules}.review(positions_of(game), never, [] {});
    REQUIRE(reviews);
    return *reviews;
}

/// Scores for White of the positions of a game; the best line is the first legal move.
GameReview review_with(const core::AnnotatedGame& game, const std::vector<Score>& scores) {
    const auto positions = positions_of(game);
    REQUIRE(positions.size() == scores.size());
    std::vector<PositionReview> reviews;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const auto best = core::read_move(positions[i].position(), i % 2 == 0 ? "a3" : "a6");
        reviews.push_back(
            {scores[i], 12, best ? std::vector{*best} : std::vector<core::Move>{}, {}});
    }
    return review_of(positions, reviews);
}

std::string annotated(std::string_view text,
                      const std::vector<Score>& scores,
                      bool replace = false) {
    auto game = game_of(text);
    const auto review = review_with(game, scores);
    annotate(game, review, {"Parley", replace});
    const auto written = core::write_annotated_game(game);
    return written.substr(written.find("\n\n") + 2);
}

}  // namespace

TEST_CASE("chances and accuracies are those of lichess's published formulas", "[review]") {
    CHECK(winning_chance(0) == Approx(0));
    CHECK(winning_chance(100) == Approx(0.1821).margin(0.0001));
    CHECK(winning_chance(-100) == Approx(-0.1821).margin(0.0001));
    CHECK(winning_chance(mate_in(5)) == 1);
    CHECK(winning_chance(mated_in(5)) == -1);
    CHECK(move_accuracy(0.2, 0.2) == Approx(100).margin(0.01));
    CHECK(move_accuracy(0.2, 0.5) == Approx(100).margin(0.01));
    // 10 % less: 103.1668 * exp(-0.4354) - 3.1669
    CHECK(move_accuracy(0.2, 0.0) == Approx(63.58).margin(0.01));
    CHECK(move_accuracy(1, -1) == Approx(0).margin(0.01));
    CHECK(judgement(0.099) == Judgement::fine);
    CHECK(judgement(0.1) == Judgement::inaccuracy);
    CHECK(judgement(0.2) == Judgement::mistake);
    CHECK(judgement(0.3) == Judgement::blunder);
}

TEST_CASE("a game that is drawn by repetition ends with the score of a draw", "[review]") {
    ReviewRules rules;
    rules.nodes = 500;
    const auto game = game_of(
        "[FEN \"6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1\"]\n\n"
        "1. Qd2 h6 2. Qd1 h5 3. Qd2 Kh7 4. Qd1 Kg8 5. Qd2 Kh7 6. Qd1 Kg8 *");
    const auto reviews = reviews_of(game, rules);
    CHECK(reviews.front().score > 300);
    CHECK(reviews.back().score == draw);
}

TEST_CASE("scores are written as other programs read them", "[review]") {
    CHECK(eval_text(34) == "0.34");
    CHECK(eval_text(-5) == "-0.05");
    CHECK(eval_text(0) == "0.00");
    CHECK(eval_text(mate_in(1)) == "#1");
    CHECK(eval_text(mate_in(5)) == "#3");
    CHECK(eval_text(mated_in(6)) == "#-3");
    CHECK(eval_text(tablebase_win - 7) == "199.93");
}

TEST_CASE("a move that loses chances is marked, with a better line", "[review]") {
    CHECK(annotated("1. e4 e5 2. Nf3 *", {20, 20, 20, 20})
          == "1. e4 {[%eval 0.20,12]} 1... e5 {[%eval 0.20,12]} 2. Nf3 {[%eval 0.20,12]} *\n");
    CHECK(annotated("1. e4 e5 *", {0, -60, -60})
          == "1. e4 $6 {[%eval -0.60,12]} (1. a3) 1... e5 {[%eval -0.60,12]} *\n");
    CHECK(annotated("1. e4 e5 *", {0, -120, 300})
          == "1. e4 $2 {[%eval -1.20,12]} (1. a3) 1... e5 $4 {[%eval 3.00,12]} (1... a6) *\n");
    // The best move is never marked, whatever the next search says.
    CHECK(annotated("1. a3 *", {200, -200}) == "1. a3 {[%eval -2.00,12]} *\n");
}

TEST_CASE("what is written in a game already stays there", "[review]") {
    CHECK(annotated("{first} 1. e4 $14 {[%clk 0:01:00] mine} (1. d4) {more} 1... e5 *", {0, -120, -120})
          == "{first} 1. e4 $2 $14 {[%eval -1.20,12] [%clk 0:01:00] mine} (1. d4) {more} (1.\n"
             "a3) 1... e5 {[%eval -1.20,12]} *\n");
    // A judgement and an evaluation of somebody else are not contradicted.
    CHECK(annotated("1. e4 $1 {[%eval 0.3]} e5 *", {0, -120, -120})
          == "1. e4 $1 {[%eval 0.3]} (1. a3) 1... e5 {[%eval -1.20,12]} *\n");
    CHECK(annotated("1. e4 {[%eval 0.3]} e5 {a [%eval 0.3,20] b} *", {0, 0, 0}, true)
          == "1. e4 {[%eval 0.00,12]} 1... e5 {[%eval 0.00,12] a  b} *\n");
}

TEST_CASE("a null move has no judgement and begins a new game", "[review]") {
    const auto game = game_of("1. e4 -- 2. d4 *");
    const auto positions = positions_of(game);
    REQUIRE(positions.size() == 4);
    CHECK(positions[2].moves().empty());
    CHECK(annotated("1. e4 -- 2. d4 *", {0, 0, 500, 500})
          == "1. e4 {[%eval 0.00,12]} 1... -- {[%eval 5.00,12]} 2. d4 {[%eval 5.00,12]} *\n");
}

TEST_CASE("accuracies are means for each player", "[review]") {
    auto game = game_of("1. e4 e5 2. Nf3 *");
    const auto review = review_with(game, {0, -60, -60, -60});
    const auto& [white, black] = review.accuracy;
    CHECK(
        *white
        == Approx((move_accuracy(winning_chance(0), winning_chance(-60)) + 100) / 2).margin(0.01));
    CHECK(*black == Approx(100).margin(0.01));
    annotate(game, review, {"Parley", false});
    CHECK(core::tag_of(game.tags, "WhiteAccuracy") == "89.0");
    CHECK(core::tag_of(game.tags, "BlackAccuracy") == "100.0");
    CHECK(core::tag_of(game.tags, "Annotator") == "Parley");
    const auto empty = game_of("*");
    CHECK_FALSE(review_of(positions_of(empty), {{}}).accuracy[0]);
}

TEST_CASE("the opening is named where it is not yet, up to a null move", "[review]") {
    const auto tags_of = [](std::string_view text) {
        auto game = game_of(text);
        const std::vector<Score> scores(positions_of(game).size(), draw);
        annotate(game, review_with(game, scores), {"Parley"});
        return std::pair{core::tag_of(game.tags, "ECO"), core::tag_of(game.tags, "Opening")};
    };
    CHECK(tags_of("1. e4 e5 2. Nf3 Nc6 3. Bb5 *") == std::pair{"C60"s, "Ruy Lopez"s});
    CHECK(tags_of("[ECO \"?\"]\n\n1. e4 -- 2. d4 *") == std::pair{"B00"s, "King's Pawn Game"s});
    CHECK(tags_of("[Opening \"mine\"]\n\n1. e4 *") == std::pair{"B00"s, "mine"s});
    CHECK(tags_of("[ECO \"X\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *")
          == std::pair{"X"s, ""s});
}

TEST_CASE("explanations stand behind comments, once", "[review]") {
    auto game = game_of("1. f3 {Hm.} e5 2. g4 {Oh!} Qh4# 0-1");
    const std::atomic<bool> stop{false};
    auto review = review_with(game, {0, -40, -40, mated_in(1), mated_in(0)});
    REQUIRE(review.moves[2].judgement == Judgement::blunder);
    ReviewRules rules;
    rules.threads = 2;
    REQUIRE_FALSE(PositionReviewer{rules}.add_explanations(review, positions_of(game), stop));
    REQUIRE(review.moves[2].explanation);
    CHECK(review.moves[2].explanation->claim.value().kind == engine::explain::Kind::mate_allowed);
    CHECK_FALSE(review.moves[0].explanation);
    for (int round = 0; round < 2; ++round) {
        annotate(game, review, {"Parley"});
        const auto written = core::write_annotated_game(game);
        const auto first = written.find("Oh! g4 allows mate in 1. Better is");
        CHECK(first != std::string::npos);
        CHECK(written.find("allows mate", first + 10) == std::string::npos);
    }
    const std::atomic<bool> stopped{true};
    CHECK(PositionReviewer{rules}.add_explanations(review, positions_of(game), stopped));
}

TEST_CASE("a search by nodes is the same with any number of threads", "[review]") {
    const auto game = game_of("1. f3 e5 2. g4 Qh4# 0-1");
    ReviewRules rules;
    rules.nodes = 3'000;
    const auto one = reviews_of(game, rules);
    rules.threads = 3;
    const auto three = reviews_of(game, rules);
    REQUIRE(one.size() == 5);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].score == three[i].score);
        CHECK(one[i].pv == three[i].pv);
    }
    CHECK(one[3].score == mated_in(1));
    CHECK(one[4].score == mated_in(0));
    CHECK(one[4].depth == 0);
    const auto review = review_of(positions_of(game), one);
    CHECK(review.moves[2].judgement == Judgement::blunder);
    CHECK(review.moves[3].judgement == Judgement::fine);
}

TEST_CASE("a search by time ends, and a stop ends the review", "[review]") {
    const auto game = game_of("1. e4 e5 *");
    ReviewRules rules;
    rules.time = Milliseconds{10};
    rules.threads = 2;
    rules.megabytes = 1;
    CHECK(reviews_of(game, rules)[0].depth > 0);
    const std::atomic<bool> stopped{true};
    CHECK_FALSE(PositionReviewer{rules}.review(positions_of(game), stopped, [] {}));
}
