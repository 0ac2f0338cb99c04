#include "engine/analysis/epd/task.hpp"

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "tests/catch.hpp"

using namespace engine::epd;

namespace {

/// White mates by Ra8; Kf2 and Re1 are other moves.
constexpr const char* back_rank = "6k1/5ppp/8/8/8/8/8/R5K1 w - - ";

Task task_of(const std::string& operations) {
    const auto task = read_task(back_rank + operations);
    CAPTURE(operations);
    if (!task)
        FAIL(task.reason());
    return *task;
}

core::Move move_of(const Task& task, const std::string& text) {
    return *core::read_move(task.position, text);
}

std::string reason_of(const std::string& line) {
    const auto task = read_task(line);
    return task ? "" : task.reason();
}

}  // namespace

TEST_CASE("a suite's line is read as programs and people write it", "[epd]") {
    const auto operations = GENERATE(
        "bm Ra8#; id \"a.1\";", "bm Ra8; id \"a.1\"", "BM Ra8+ ;ID \"a.1\" ;",
        "bm a1a8; id \"a.1\";", "id \"a.1\"; bm Ra8!", "0 1 bm Ra8; id \"a.1\";",
        "bm Ra8,; id \"a.1\"; c0 \"a; b\";\r", "bm Ra8 + !; id \"a.1\";", "- bm Ra8; id \"a.1\";");
    const auto task = task_of(operations);
    CAPTURE(operations);
    CHECK(task.id == "a.1");
    REQUIRE(task.best_moves.size() == 1);
    CHECK(core::san(task.position, task.best_moves.front()) == "Ra8#");
}

TEST_CASE("a plain FEN and a line without answers are searched and not scored", "[epd]") {
    CHECK_FALSE(read_task("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")->is_scored());
    CHECK_FALSE(task_of("id \"none\"; ce 30;").is_scored());
    CHECK_FALSE(task_of("c0 \"only a comment, no points\";").is_scored());
}

TEST_CASE("counters come from operations or from the fields of a FEN", "[epd]") {
    CHECK(task_of("hmvc 7; fmvn 30;").position.halfmove_clock() == 7);
    CHECK(task_of("hmvc 7; fmvn 30;").position.fullmove_number() == 30);
    CHECK(task_of("3 12 bm Ra8;").position.halfmove_clock() == 3);
}

TEST_CASE("a faulty line is refused with the operation that is wrong", "[epd]") {
    CHECK(reason_of("no position at all") != "");
    CHECK(reason_of(std::string{back_rank} + "bm Qxh9;").find("bm: 'Qxh9'") == 0);
    CHECK(reason_of(std::string{back_rank} + "am ;").find("am: ") == 0);
    CHECK(reason_of(std::string{back_rank} + "dm many;").find("dm: ") == 0);
    CHECK(reason_of(std::string{back_rank} + "c9 \"a1a8 g1f2\"; c8 \"10\";") != "");
}

TEST_CASE("bm, am and dm must all hold", "[epd]") {
    const auto best = task_of("bm Ra8 Kf2;");
    CHECK(score_answer(best, move_of(best, "Kf2"), 0).solved);
    CHECK_FALSE(score_answer(best, move_of(best, "Re1"), 0).solved);
    const auto avoid = task_of("am Ra8;");
    CHECK_FALSE(score_answer(avoid, move_of(avoid, "Ra8"), 0).solved);
    CHECK(score_answer(avoid, move_of(avoid, "Kf2"), 0).solved);
    const auto mate = task_of("dm 2; bm Ra8;");
    CHECK(score_answer(mate, move_of(mate, "Ra8"), engine::mate_in(3)).solved);
    CHECK_FALSE(score_answer(mate, move_of(mate, "Ra8"), engine::mate_in(5)).solved);
    CHECK_FALSE(score_answer(mate, move_of(mate, "Ra8"), 500).solved);
    CHECK_FALSE(score_answer(mate, move_of(mate, "Kf2"), engine::mate_in(3)).solved);
}

TEST_CASE("points are read from c0, or from c9 and c8, which take precedence", "[epd]") {
    const auto comment = task_of("c0 \"Ra8#=10, Kf2=3\";");
    CHECK(comment.most_points() == 10);
    CHECK(score_answer(comment, move_of(comment, "Kf2"), 0).points == 3);
    CHECK_FALSE(score_answer(comment, move_of(comment, "Kf2"), 0).solved);
    CHECK(score_answer(comment, move_of(comment, "Ra8"), 0).solved);
    CHECK(score_answer(comment, move_of(comment, "Re1"), 0).points == 0);
    const auto lists = task_of("c0 \"Kf2=3\"; c8 \"7 100\"; c9 \"g1f2 a1a8\";");
    CHECK(lists.most_points() == 100);
    CHECK(score_answer(lists, move_of(lists, "Kf2"), 0).points == 7);
}

TEST_CASE("blank lines and comments have no position", "[epd]") {
    CHECK(is_comment(""));
    CHECK(is_comment(" \r"));
    CHECK(is_comment("# text"));
    CHECK(is_comment("// text"));
    CHECK_FALSE(is_comment(back_rank));
}
