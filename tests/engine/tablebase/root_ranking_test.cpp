#include "engine/tablebase/root_ranking.hpp"

#include <chrono>

#include "core/movegen.hpp"

#include "engine/tablebase/pv_extension.hpp"

#include "tests/core/positions.hpp"
#include "tests/engine/tablebase/tables.hpp"

using namespace engine::tablebase;
using core::Game;

namespace {

RootRanking ranking_of(const Game& game, bool fifty_move_rule = true) {
    const auto tables = tests::tables_in(tests::table_folder());
    const auto ranking = rank_root_moves(*tables, game, fifty_move_rule);
    REQUIRE(ranking);
    CHECK(ranking->moves.size() == core::legal_moves(game.position()).size());
    return *ranking;
}

RootRanking ranking_of(const char* fen, bool fifty_move_rule = true) {
    return ranking_of(Game{tests::position_of(fen)}, fifty_move_rule);
}

const RankedMove& find(const RootRanking& ranking, const Game& game, std::string_view text) {
    const auto move = tests::move_of(game.position(), text);
    for (const RankedMove& ranked : ranking.moves) {
        if (ranked.move == move)
            return ranked;
    }
    FAIL("no such move");
    return ranking.moves.front();
}

std::size_t count_best(const RootRanking& ranking) {
    const auto is_best = [&](const RankedMove& ranked) {
        return ranked.rank == ranking.moves.front().rank;
    };
    return static_cast<std::size_t>(
        std::count_if(ranking.moves.begin(), ranking.moves.end(), is_best));
}

constexpr auto lone_queen = "8/8/8/8/8/8/k6K/2Q5 w - - 0 1";

}  // namespace

TEST_CASE("all moves that win in time have the same rank", "[tablebase]") {
    const auto ranking = ranking_of(lone_queen);
    CHECK(ranking.by_dtz);
    CHECK(ranking.moves.front().outcome == WdlScore::win);
    // The queen wins wherever she is not lost; stalemates and captures are the exceptions.
    CHECK(count_best(ranking) > 15);
    for (const RankedMove& ranked : ranking.moves)
        CHECK((ranked.outcome == WdlScore::win) == (ranked.rank == ranking.moves.front().rank));
}

TEST_CASE("moves that throw the win away rank last", "[tablebase]") {
    const Game game{tests::position_of("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1")};
    const auto ranking = ranking_of(game);
    CHECK(find(ranking, game, "Qc7").outcome == WdlScore::draw);  // stalemate
    CHECK(find(ranking, game, "Qc8").outcome == WdlScore::win);   // mate
    CHECK(find(ranking, game, "Qc8").dtz == 1);
    CHECK(ranking.moves.back().outcome == WdlScore::draw);
}

TEST_CASE("with little time left only fast moves rank first", "[tablebase]") {
    // Mate takes 15 plies at most.
    const auto many = count_best(ranking_of("8/8/8/8/8/8/k6K/2Q5 w - - 70 90"));
    const auto few = count_best(ranking_of("8/8/8/8/8/8/k6K/2Q5 w - - 84 90"));
    CHECK(few > 0);
    CHECK(few < many);
    CHECK(ranking_of("8/8/8/8/8/8/k6K/2Q5 w - - 84 90").moves.front().outcome == WdlScore::win);
    // Too late by the rule, unless there is no rule.
    CHECK(ranking_of("8/8/8/8/8/8/k6K/2Q5 w - - 90 90").moves.front().outcome
          == WdlScore::cursed_win);
    CHECK(ranking_of("8/8/8/8/8/8/k6K/2Q5 w - - 90 90", false).moves.front().outcome
          == WdlScore::win);
}

TEST_CASE("the loser plays for the fifty-move rule when it is near", "[tablebase]") {
    const auto early = ranking_of("8/8/8/8/3k4/8/8/K2Q4 b - - 0 1");
    CHECK(early.moves.front().outcome == WdlScore::loss);
    CHECK(count_best(early) == early.moves.size());
    const auto late = ranking_of("8/8/8/8/3k4/8/8/K2Q4 b - - 95 90");
    CHECK(late.moves.front().outcome == WdlScore::blessed_loss);
}

TEST_CASE("after a repetition the fastest moves rank first", "[tablebase]") {
    Game game{tests::position_of(lone_queen)};
    const std::vector<std::string> moves{"Qc2", "Ka1", "Qc1", "Ka2"};
    REQUIRE(game.play(moves));
    const auto ranking = ranking_of(game);
    CHECK(ranking.moves.front().outcome == WdlScore::win);
    CHECK(count_best(ranking) < count_best(ranking_of(lone_queen)));
    int shortest = 1000;
    for (const RankedMove& ranked : ranking.moves) {
        if (ranked.outcome == WdlScore::win)
            shortest = std::min(shortest, *ranked.dtz);
    }
    CHECK(ranking.moves.front().dtz == shortest);
}

TEST_CASE("a move that repeats for the third time is a draw", "[tablebase]") {
    Game game{tests::position_of(lone_queen)};
    const std::vector<std::string> moves{"Qc2", "Ka1", "Qc1", "Ka2"};
    REQUIRE(game.play(moves));
    CHECK(find(ranking_of(game), game, "Qc2").outcome == WdlScore::win);
    REQUIRE(game.play(moves));
    CHECK(find(ranking_of(game), game, "Qc2").outcome == WdlScore::draw);
}

TEST_CASE("without DTZ tables WDL ranks the moves", "[tablebase]") {
    const tests::TemporaryFolder folder;
    for (const auto* const name : {"KQvK.rtbw", "KRvK.rtbw", "KRRvK.rtbw"})
        std::filesystem::copy_file(tests::table_folder() + "/" + name,
                                   tests::file_in(folder, name));
    const auto tables = tests::tables_in(folder.path().string());
    const auto ranking =
        rank_root_moves(*tables, Game{tests::position_of("8/8/8/8/8/8/k6K/2Q5 w - - 0 1")}, true);
    REQUIRE(ranking);
    CHECK_FALSE(ranking->by_dtz);
    CHECK(ranking->moves.front().outcome == WdlScore::win);
    CHECK(ranking->moves.back().outcome == WdlScore::draw);
}

TEST_CASE("what the tables do not know is not ranked", "[tablebase]") {
    const auto tables = tests::tables_in(tests::table_folder());
    const auto* const fen = GENERATE("4k3/8/8/8/8/8/8/4K2R w K - 0 1",  // castling
                                     "4k3/8/8/8/8/8/8/1NBNK3 w - - 0 1",
                                     "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");  // mate
    CAPTURE(fen);
    CHECK_FALSE(rank_root_moves(*tables, Game{tests::position_of(fen)}, true));
}

TEST_CASE("a line is extended to mate", "[tablebase]") {
    const auto tables = tests::tables_in(tests::table_folder());
    const auto* const fen =
        GENERATE("8/8/8/8/8/8/k6K/2Q5 w - - 0 1", "8/8/8/8/4K3/8/8/2r4k b - - 0 1",
                 "3K4/8/8/8/1q6/8/8/k7 w - - 0 1", "8/5k2/8/8/8/3K4/5P2/8 w - - 0 1",
                 "8/8/2k5/8/8/8/1R6/K6R w - - 0 1");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes{5};
    Game game{tests::position_of(fen)};
    const auto first = core::legal_moves(game.position())[0];
    for (const bool given : {false, true}) {
        const std::vector<core::Move> line(given ? 1 : 0, first);
        const auto extended = extend_pv(*tables, game, line, true, deadline);
        CAPTURE(fen, given);
        REQUIRE_FALSE(extended.empty());
        if (given) {
            CHECK(extended.front() == first);
            continue;
        }
        Game played = game;
        for (const auto move : extended)
            played.play(move);
        CHECK(played.outcome() == core::Outcome::checkmate);
    }
}

TEST_CASE("a line without time stays as it is", "[tablebase]") {
    const auto tables = tests::tables_in(tests::table_folder());
    const Game game{tests::position_of(lone_queen)};
    const std::vector<core::Move> line{core::legal_moves(game.position())[0]};
    const auto past = std::chrono::steady_clock::now() - std::chrono::seconds{1};
    CHECK(extend_pv(*tables, game, line, true, past) == line);
}
