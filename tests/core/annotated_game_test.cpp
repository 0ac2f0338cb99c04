#include <string>
#include <vector>

#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/pgn.hpp"

#include "tests/catch.hpp"

using namespace core;

namespace {

AnnotatedGame game_of(std::string_view text) {
    auto game = read_annotated_game(text);
    INFO(text);
    INFO((game ? std::string{"fine"} : game.reason()));
    REQUIRE(game);
    return *game;
}

/// What is written of a game's moves, in one line.
std::string moves_written(std::string_view text) {
    auto written = write_annotated_game(game_of(text));
    written =
        written.substr(written.find("\n\n") == std::string::npos ? 1 : written.find("\n\n") + 2);
    written.pop_back();
    return written;
}

const PgnComment* comment(const PgnElement& element) {
    return std::get_if<PgnComment>(&element.content);
}

}  // namespace

TEST_CASE("comments, NAGs and variations are kept in their order", "[pgn]") {
    const auto text = GENERATE(
        "1. e4 {best by test} 1... e5 2. Nf3 {[%clk 0:00:01]} 2... Nc6 *",
        "{first} 1. e4 $1 $14 {a} {b} (1. d4 d5 (1... Nf6 2. c4)) {c} (1. c4) 1... e5 1-0",
        "1. e4 e5 (1... c5 {Sicilian} 2. Nf3 $2 (2. c3)) 2. Nf3 1/2-1/2",
        "({before the first move} 1. d4) 1. e4 *", "1. e4 {} ({}) 1... e5 *", "1. -- d5 2. -- d4 *",
        "1. e4 ;a brace } in a comment\n1... e5 *", "1. e4 (1. d4 ;}\n) 1... e5 *",
        "1. e4\n% an escape } ( {\ne5 *", "1. e4 (\n% an escape\n1. d4) 1... e5 *");
    CAPTURE(text);
    CHECK(moves_written(text) == text);
}

TEST_CASE("what people and programs write is read as what they mean", "[pgn]") {
    const auto [text, written] = GENERATE(table<std::string, std::string>({
        {"1. e4! e5?! 2. Nf3!! Nc6?? 3. Bb5 !? a6 ?",
         "1. e4 $1 e5 $6 2. Nf3 $3 Nc6 $4 3. Bb5 $5 a6 $2 *"},
        {"1.e4{a}e5 2.Nf3$6", "1. e4 {a} 1... e5 2. Nf3 $6 *"},
        {"1. e4 {two\r\n   lines  \n\nand  blanks }", "1. e4 {two lines and  blanks} *"},
        {"1. Z0 d5 2. null pass", "1. -- d5 2. -- -- *"},
        {"1. e4 (1. d4 1-0) e5 0-1", "1. e4 (1. d4) 1... e5 0-1"},
        {"1. e4 ) e5", "1. e4 e5 *"},
        {"1. e4 $ $1234 e5", "1. e4 e5 *"},
        {"1. e4 ; to the end {\ne5", "1. e4 {to the end {} 1... e5 *"},
    }));
    CAPTURE(text);
    CHECK(moves_written(text) == written);
}

TEST_CASE("a missing result is that of the tag", "[pgn]") {
    CHECK(game_of("[Result \"0-1\"]\n\n1. e4").result == "0-1");
    CHECK(game_of("[Result \"0-1\"]\n\n1. e4 1-0").result == "1-0");
    CHECK(game_of("[Result \"Black\"]\n\n1. e4").result == "*");
    CHECK(read_pgn("[Result \"0-1\"]\n\n1. e4")->result == "0-1");
}

TEST_CASE("tags are written as they were, in their order", "[pgn]") {
    const std::string text =
        "%program 7\n[White \"say \\\"no\\\"\"]\n[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K2R b KQ "
        "- 3 "
        "12\"]\n\n12... Kf7 13. O-O-O *\n";
    const auto game = game_of(text);
    CHECK(game.escapes == std::vector<std::string>{"program 7"});
    CHECK(fen(game.start) == "4k3/8/8/8/8/8/8/R3K2R b KQ - 3 12");
    CHECK(write_annotated_game(game) == text);
}

TEST_CASE("text that is not UTF-8 is taken for Windows-1252", "[pgn]") {
    const auto latin = game_of("[White \"M\xFCller\"]\n\n1. e4 {\x80 5 \x96 sch\xF6n} *");
    CHECK(tag_of(latin.tags, "White") == "M\xC3\xBCller");
    CHECK(comment(latin.elements.back())->text == "\xE2\x82\xAC 5 \xE2\x80\x93 sch\xC3\xB6n");
    const auto utf8 = game_of("\xEF\xBB\xBF[White \"M\xC3\xBCller \xE6\xA3\x8B\"]\n\n1. e4 *");
    CHECK(tag_of(utf8.tags, "White") == "M\xC3\xBCller \xE6\xA3\x8B");
}

TEST_CASE("long comments are written in lines of at most 80 characters and stay the same",
          "[pgn]") {
    std::string text = "1. e4 {";
    for (int i = 0; i < 200; ++i)
        text += (i % 7 == 0   ? "%word"
                 : i % 5 == 0 ? "[%clk 1] "
                              : "word")
              + std::to_string(i) + " ";
    text += "} 1... e5 *";
    const auto game = game_of(text);
    const auto written = write_annotated_game(game);
    CHECK(game_of(written) == game);
    for (std::size_t line = 1; line < written.size(); line = written.find('\n', line) + 1) {
        CHECK(written.find('\n', line) - line <= 80);
        CHECK(written[line] != '%');
        CHECK(written[line] != '[');
    }
}

TEST_CASE("a game that is no game is refused with the place", "[pgn]") {
    const auto [text, reason] = GENERATE(table<std::string, std::string>({
        {"1. e4 e5 (1... e6 2. Ke3)", "move 2 in a variation: 'Ke3' is not a legal move here"},
        {"1. e4 (1. d4 (1. c4) e5", "a variation is not closed"},
        {"1. e4 {never closed", "a comment is not closed"},
        {"1. e4 f5 2. Qh5 --", "move 2...: a null move in check"},
    }));
    CAPTURE(text);
    const auto game = read_annotated_game(text);
    REQUIRE_FALSE(game);
    CHECK(game.reason().substr(0, reason.size()) == reason);
    const std::string deep(max_pgn_variation_depth + 1, '(');
    CHECK(read_annotated_game("1. e4 " + deep).reason() == "variations are nested too deeply");
    CHECK(game_of("1. e4 " + deep.substr(1) + std::string(max_pgn_variation_depth, ')'))
              .elements.size()
          == 2);
}
