#include "core/pgn.hpp"

#include <algorithm>

#include "core/movegen.hpp"
#include "core/pgn_splitter.hpp"
#include "core/text.hpp"

#include "tests/core/positions.hpp"

using namespace core;

namespace {

Pgn pgn_of(std::string_view text) {
    auto pgn = read_pgn(text);
    INFO(text);
    INFO((pgn ? std::string{"fine"} : pgn.reason()));
    REQUIRE(pgn);
    return *pgn;
}

std::string moves_of(const Pgn& pgn) {
    std::vector<std::string> texts;
    for (const Move move : pgn.game.moves())
        texts.push_back(to_uci(move, CastlingStyle::king_moves_two));
    return tests::joined(texts);
}

const char* const whole_game = R"([Event "Casual Game"]
[Site "Berlin GER"]
[Date "1852.??.??"]
[Round "?"]
[White "Adolf \"A\" Anderssen"]
[Black "back\\slash"]
[Result "1-0"]
[ECO "C52"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0
)";

}  // namespace

TEST_CASE("a PGN is read with its tags, moves and result", "[pgn]") {
    const auto pgn = pgn_of(whole_game);
    CHECK(moves_of(pgn) == "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6");
    CHECK(pgn.result == "1-0");
    CHECK(pgn.tags.size() == 8);
    CHECK(pgn.tag("Event") == "Casual Game");
    CHECK(pgn.tag("White") == "Adolf \"A\" Anderssen");
    CHECK(pgn.tag("Black") == "back\\slash");
    CHECK(pgn.tag("ECO") == "C52");
    CHECK(pgn.tag("Annotator").empty());
}

TEST_CASE("comments, NAGs, variations and move numbers are skipped", "[pgn]") {
    const auto text = GENERATE(
        "1. e4 e5 2. Nf3 Nc6 *", "1.e4 e5 2.Nf3 Nc6", "e4 e5 Nf3 Nc6", "1. e2e4 e7e5 2. g1f3 b8c6",
        "1. e4 1... e5 2. Nf3 2... Nc6", "1. e4 1...e5 2. Nf3 2...Nc6", "1 . e4 e5 2 . Nf3 Nc6",
        "1. e4 .. e5 2. Nf3 ... Nc6 *",
        "\xEF\xBB\xBF"
        "1. e4 e5 2. Nf3 Nc6",
        "1. e4 {best by test} e5 2. Nf3 {[%clk 0:00:01]} Nc6", "1. e4{a}e5{b}2. Nf3{;(}Nc6{last} *",
        "{first} 1. e4 e5 2. Nf3 Nc6", "1. e4 $1 e5 $14 2. Nf3$6 Nc6 $240 *",
        "1. e4! e5?! 2. Nf3!! Nc6??", "1. e4 (1. d4 d5) e5 2. Nf3 Nc6",
        "1. e4 (1. d4 (1. c4 {)} c5) (1. b3) d5) e5 2. Nf3 Nc6",
        "1. e4 (1. d4 ; a ) in here\n d5) e5 2. Nf3 Nc6",
        "1. e4 ; to the end of the line {\n e5 2. Nf3 Nc6", "% escaped {\n1. e4 e5 2. Nf3 Nc6",
        "1. e4\re5\n2.\tNf3\r\nNc6", "1. e4 e5 2. Nf3 Nc6 * 3. this is not read",
        "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n[Event \"the next game\"]\n\n1. d4 *");
    CAPTURE(text);
    CHECK(moves_of(pgn_of(text)) == "e2e4 e7e5 g1f3 b8c6");
}

TEST_CASE("a game without a result is open", "[pgn]") {
    const auto [text, result] = GENERATE(table<std::string, std::string>({
        {"", "*"},
        {"1. e4", "*"},
        {"1. e4 *", "*"},
        {"1. e4 1-0", "1-0"},
        {"1. e4 0-1", "0-1"},
        {"1. e4 1/2-1/2", "1/2-1/2"},
        {"[Result \"0-1\"]\n\n1. e4 1-0", "1-0"},
        {"1-0", "1-0"},
    }));
    CAPTURE(text);
    CHECK(pgn_of(text).result == result);
}

TEST_CASE("a FEN tag sets the start", "[pgn]") {
    const auto pgn = pgn_of(
        "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K2R b KQ - 3 12\"]\n\n"
        "12... Kf7 13. 0-0-0 Kg6 *");
    CHECK(fen(pgn.game.start()) == "4k3/8/8/8/8/8/8/R3K2R b KQ - 3 12");
    CHECK(moves_of(pgn) == "e8f7 e1c1 f7g6");
}

TEST_CASE("0-0 is castling and not a move number", "[pgn]") {
    const auto pgn = pgn_of("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. 0-0 0-0-0 *");
    CHECK(moves_of(pgn) == "e1g1 e8c8");
}

TEST_CASE("an illegal move or an unclosed comment is refused", "[pgn]") {
    const auto [text, reason] = GENERATE(table<std::string, std::string>({
        {"1. e4 e5 2. Ke3", "move 2: 'Ke3' is not a legal move here"},
        {"1. e4 e5 2. hello", "move 2: 'hello' is not a move"},
        {"1. e4 }", "move 1...: '}' is not a move"},
        {"1. e4 {never closed", "a comment is not closed"},
        {"1. e4 (1. d4 (1. c4) e5", "a variation is not closed"},
        {"1. e4 (1. d4 {never closed) e5", "a comment is not closed"},
        {"[Event \"x\"\n1. e4", "the tag Event is not closed"},
        {"[Event \"x]\n1. e4", "the tag Event is not closed"},
        {"[Event]\n1. e4", "a tag has no value in quotes"},
        {"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "FEN tag: board: White has no king"},
    }));
    CAPTURE(text);
    const auto pgn = read_pgn(text);
    REQUIRE_FALSE(pgn);
    CAPTURE(pgn.reason());
    CHECK(pgn.reason().substr(0, reason.size()) == reason);
}

TEST_CASE("a PGN is written with the seven tags first", "[pgn]") {
    Pgn pgn;
    pgn.tags = {{"ECO", "A00"}, {"White", "say \"no\""}, {"Result", "ignored"}};
    pgn.result = "0-1";
    const std::vector<std::string> moves{"f3", "e5", "g4", "Qh4"};
    REQUIRE(pgn.game.play(moves));
    CHECK(write_pgn(pgn) == R"([Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "say \"no\""]
[Black "?"]
[Result "0-1"]
[ECO "A00"]

1. f3 e5 2. g4 Qh4# 0-1
)");
}

TEST_CASE("a game from another position is written with its FEN", "[pgn]") {
    Pgn pgn;
    pgn.game = Game{tests::position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 3 12")};
    const std::vector<std::string> moves{"Kd7", "e4", "Kd6"};
    REQUIRE(pgn.game.play(moves));
    const auto text = write_pgn(pgn);
    CHECK(text.find("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 12\"]\n")
          != std::string::npos);
    CHECK(text.find("\n\n12... Kd7 13. e4 Kd6 *\n") != std::string::npos);
}

TEST_CASE("a line break in a tag becomes a space", "[pgn]") {
    Pgn pgn;
    pgn.tags = {{"Event", "two\nlines"}};
    CHECK(pgn_of(write_pgn(pgn)).tag("Event") == "two lines");
}

TEST_CASE("long games come back from PGN with lines of at most 80 characters", "[pgn]") {
    for (const auto* start : tests::varied_positions) {
        CAPTURE(start);
        Pgn pgn;
        pgn.game = Game{tests::position_of(start)};
        pgn.tags = {{"Annotator", start}};
        for (std::size_t ply = 0; ply < 120; ++ply) {
            const auto moves = legal_moves(pgn.game.position());
            if (moves.empty())
                break;
            pgn.game.play(moves[(ply * 7919 + 13) % moves.size()]);
        }
        pgn.result = result_of(pgn.game);
        const auto text = write_pgn(pgn);
        const auto copy = pgn_of(text);
        CHECK(copy.game.moves() == pgn.game.moves());
        CHECK(copy.game.start() == pgn.game.start());
        CHECK(copy.result == pgn.result);
        CHECK(copy.tag("Annotator") == start);
        CHECK(write_pgn(copy) == text);
        const auto movetext = text.find("\n\n") + 2;
        for (auto line = movetext; line < text.size(); line = text.find('\n', line) + 1)
            CHECK(text.find('\n', line) - line <= 80);
    }
}

TEST_CASE("result_of follows the rules", "[pgn]") {
    const auto [fen, result] = GENERATE(table<std::string, std::string>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "*"},
        {"R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "1-0"},
        {"k7/8/8/8/8/8/5PPP/r5K1 w - - 0 1", "0-1"},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "1/2-1/2"},
        {"7k/8/8/8/8/8/R7/K7 w - - 100 80", "1/2-1/2"},
    }));
    CAPTURE(fen);
    CHECK(result_of(Game{tests::position_of(fen)}) == result);
}

TEST_CASE("lines of PGN are divided into games", "[pgn]") {
    const auto games_of = [](std::string_view text) {
        PgnSplitter splitter;
        std::vector<std::string> games;
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            if (auto game = splitter.add_line(text.substr(0, end)))
                games.push_back(*game);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (auto game = splitter.finish())
            games.push_back(*game);
        return games;
    };
    const auto moves_of_all = [&](std::string_view text) {
        std::vector<std::string> moves;
        for (const auto& game : games_of(text))
            moves.push_back(moves_of(pgn_of(game)));
        return moves;
    };
    using Texts = std::vector<std::string>;
    CHECK(games_of("").empty());
    CHECK(games_of("\n \r\n").empty());
    CHECK(moves_of_all("[Event \"a\"]\n\n1. e4\ne5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n")
          == Texts{"e2e4 e7e5", "d2d4"});
    CHECK(moves_of_all("\xEF\xBB\xBF[Event \"a\"]\r\n1. e4 *\r\n[Event \"b\"]\r\n1. d4 *\r\n")
          == Texts{"e2e4", "d2d4"});
    // Without a result, without tags, and with what only looks like either.
    CHECK(moves_of_all("1. e4\n[Event \"b\"]\n1. d4 0-1\n1. c4 *")
          == Texts{"e2e4", "d2d4", "c2c4"});
    CHECK(moves_of_all("1. e4 {1-0\n[Event \"b\"]\n} (1. d4 1-0\n) ; 1-0 {\n1... e5 *\n1. c4")
          == Texts{"e2e4 e7e5", "c2c4"});
    CHECK(moves_of_all("% {\n1. e4\n% 1-0\ne5") == Texts{"e2e4 e7e5"});
    CHECK(games_of(whole_game).size() == 1);
}
