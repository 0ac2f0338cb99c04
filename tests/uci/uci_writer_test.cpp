#include "uci/uci_writer.hpp"

#include "core/fen.hpp"

#include "engine/general_interface.hpp"
#include "engine/options.hpp"

#include "uci/uci_options.hpp"
#include "uci/uci_parser.hpp"

#include "tests/core/positions.hpp"

using namespace uci;
using namespace engine;
using core::CastlingStyle;
using core::Move;
using core::operator""_sq;

namespace {

const Move e2e4 = Move::normal("e2"_sq, "e4"_sq);
const Move e7e5 = Move::normal("e7"_sq, "e5"_sq);
const Move castling = Move::castling("e1"_sq, "h1"_sq);
const Move promotion = Move::promotion("b7"_sq, "a8"_sq, core::PieceType::knight);

Info usual_info() {
    Info info;
    info.depth = 12;
    info.seldepth = 20;
    info.multipv = 1;
    info.score = 34;
    info.nodes = 123'456;
    info.time = Milliseconds{250};
    info.hashfull = 17;
    info.pv = {e2e4, e7e5};
    return info;
}

Snapshot snapshot_of(const char* fen, DisplayKind view) {
    Snapshot snapshot;
    snapshot.id = static_cast<std::uint64_t>(view);
    snapshot.evaluation = draw;
    snapshot.wdl = Wdl{};
    snapshot.game = core::Game{tests::position_of(fen)};
    return snapshot;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char letter : text) {
        if (letter == '\n')
            lines.emplace_back();
        else
            lines.back() += letter;
    }
    return lines;
}

}  // namespace

TEST_CASE("an info line has all fields of a pv", "[uci_writer]") {
    CHECK(format(usual_info())
          == "info depth 12 seldepth 20 multipv 1 score cp 34 nodes 123456 nps 493824 hashfull 17 "
             "tbhits 0 time 250 pv e2e4 e7e5");
}

TEST_CASE("a bound follows the score", "[uci_writer]") {
    auto info = usual_info();
    info.bound = Bound::lower;
    CHECK(format(info).find(" score cp 34 lowerbound nodes ") != std::string::npos);
    info.bound = Bound::upper;
    CHECK(format(info).find(" score cp 34 upperbound nodes ") != std::string::npos);
    info.score = mate_in(3);
    CHECK(format(info).find(" score mate 2 upperbound nodes ") != std::string::npos);
}

TEST_CASE("a score is in centipawns or in moves to mate", "[uci_writer]") {
    const auto [score, text] = GENERATE(table<Score, const char*>({
        {0, "cp 0"},
        {1, "cp 1"},
        {-250, "cp -250"},
        {decisive - 1, "cp 19759"},
        {-decisive + 1, "cp -19759"},
        {tablebase_win, "cp 20000"},
        {tablebase_win - 5, "cp 19995"},
        {-tablebase_win + 7, "cp -19993"},
        {tablebase_win - max_ply, "cp 19760"},
        {mate_in(1), "mate 1"},
        {mate_in(2), "mate 1"},
        {mate_in(3), "mate 2"},
        {mate_in(5), "mate 3"},
        {mate_in(239), "mate 120"},
        {mated_in(0), "mate 0"},
        {mated_in(2), "mate -1"},
        {mated_in(4), "mate -2"},
        {mated_in(240), "mate -120"},
    }));
    auto info = usual_info();
    info.score = score;
    CHECK(format(info).find(std::string{" score "} + text + " nodes ") != std::string::npos);
}

TEST_CASE("hits in the endgame tables are counted", "[uci_writer]") {
    auto info = usual_info();
    info.tbhits = 123;
    CHECK(format(info).find(" hashfull 17 tbhits 123 time ") != std::string::npos);
}

TEST_CASE("multipv and a search of no time are written", "[uci_writer]") {
    auto info = usual_info();
    info.multipv = 3;
    info.time = Milliseconds{0};
    info.nodes = 20;
    CHECK(format(info)
          == "info depth 12 seldepth 20 multipv 3 score cp 34 nodes 20 nps 20000 hashfull 17 "
             "tbhits 0 time 0 pv e2e4 e7e5");
}

TEST_CASE("a position without moves has a depth and a score", "[uci_writer]") {
    Info info;
    info.score = mated_in(0);
    CHECK(format(info) == "info depth 0 score mate 0");
    info.score = draw;
    CHECK(format(info) == "info depth 0 score cp 0");
}

TEST_CASE("the current move has its number", "[uci_writer]") {
    CHECK(format(CurrentMove{e2e4, 7, CastlingStyle::king_moves_two})
          == "info currmove e2e4 currmovenumber 7");
    CHECK(format(CurrentMove{castling, 1, CastlingStyle::king_takes_rook})
          == "info currmove e1h1 currmovenumber 1");
}

TEST_CASE("bestmove has a ponder move if there is one", "[uci_writer]") {
    CHECK(format(BestMove{e2e4, e7e5}) == "bestmove e2e4 ponder e7e5");
    CHECK(format(BestMove{e2e4, std::nullopt}) == "bestmove e2e4");
    CHECK(format(BestMove{promotion, std::nullopt}) == "bestmove b7a8n");
    CHECK(format(BestMove{}) == "bestmove (none)");
}

TEST_CASE("castling is written as the client expects it", "[uci_writer]") {
    const auto other = Move::castling("b8"_sq, "a8"_sq);
    const auto usual = CastlingStyle::king_moves_two;
    const auto chess960 = CastlingStyle::king_takes_rook;
    CHECK(format(BestMove{castling, std::nullopt, usual}) == "bestmove e1g1");
    CHECK(format(BestMove{castling, std::nullopt, chess960}) == "bestmove e1h1");
    CHECK(format(BestMove{e2e4, Move::castling("e8"_sq, "a8"_sq), usual})
          == "bestmove e2e4 ponder e8c8");
    CHECK(format(BestMove{e2e4, Move::castling("e8"_sq, "a8"_sq), chess960})
          == "bestmove e2e4 ponder e8a8");
    CHECK(format(BestMove{other, std::nullopt, usual}) == "bestmove b8a8");
    auto info = usual_info();
    info.pv = {castling};
    CHECK(format(info).ends_with(" pv e1g1"));
    info.castling = chess960;
    CHECK(format(info).ends_with(" pv e1h1"));
}

TEST_CASE("refusals and notices are info strings", "[uci_writer]") {
    CHECK(format(Refused{"position refused: no king"}) == "info string position refused: no king");
    CHECK(format(Notice{"perft was stopped"}) == "info string perft was stopped");
    CHECK(info_string("x") == "info string x");
}

TEST_CASE("perft lists the moves and then the sum", "[uci_writer]") {
    PerftReport report;
    report.leaves = {{e2e4, 20}, {castling, 7}};
    report.total = 27;
    CHECK(format(report) == "e2e4: 20\ne1g1: 7\n\nNodes searched: 27");
    report.castling = CastlingStyle::king_takes_rook;
    CHECK(format(report) == "e2e4: 20\ne1h1: 7\n\nNodes searched: 27");
    CHECK(format(PerftReport{}) == "\nNodes searched: 0");
}

TEST_CASE("bench prints the signature and the speed", "[uci_writer]") {
    CHECK(format(BenchReport{1'234'567, Milliseconds{2'000}})
          == "Total time (ms): 2000\nNodes searched: 1234567\nNodes/second: 617283");
    CHECK(format(BenchReport{5, Milliseconds{0}})
          == "Total time (ms): 0\nNodes searched: 5\nNodes/second: 5000");
}

TEST_CASE("fen prints the FEN alone", "[uci_writer]") {
    const auto fen = GENERATE("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                              "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 2");
    CHECK(format(snapshot_of(fen, DisplayKind::fen)) == fen);
}

TEST_CASE("wdl follow the score", "[uci_writer]") {
    Info info = usual_info();
    info.bound = Bound::lower;
    info.wdl = Wdl{120, 830, 50};
    CHECK(format(info).find("score cp 34 lowerbound wdl 120 830 50 nodes") != std::string::npos);
    info.pv.clear();
    CHECK(format(info) == "info depth 12 score cp 34 wdl 120 830 50");
}

TEST_CASE("an evaluation is in pawns from White's view", "[uci_writer]") {
    auto snapshot = snapshot_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", DisplayKind::evaluation);
    const auto last_line = [&] {
        const auto lines = lines_of(format(snapshot));
        return lines.at(lines.size() - 2);
    };
    snapshot.evaluation = 123;
    CHECK(last_line() == "Evaluation: +1.23 (pawns, from White's view)");
    snapshot.evaluation = -5;
    CHECK(last_line() == "Evaluation: -0.05 (pawns, from White's view)");
    snapshot.game = core::Game{tests::position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")};
    CHECK(last_line() == "Evaluation: +0.05 (pawns, from White's view)");
    snapshot.evaluation = 0;
    CHECK(last_line() == "Evaluation: +0.00 (pawns, from White's view)");
    CHECK(format(snapshot_of("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", DisplayKind::evaluation))
          == "Evaluation: none, the side to move is in check");
}

TEST_CASE("an evaluation has the wdl of both players", "[uci_writer]") {
    auto snapshot = snapshot_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", DisplayKind::evaluation);
    snapshot.wdl = Wdl{205, 705, 90};
    CHECK(lines_of(format(snapshot)).back() == "White wins 20.5 %, drawn 70.5 %, Black wins 9.0 %");
    snapshot.game = core::Game{tests::position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")};
    CHECK(lines_of(format(snapshot)).back() == "White wins 9.0 %, drawn 70.5 %, Black wins 20.5 %");
}

TEST_CASE("below each piece stands its contribution from White's view", "[uci_writer]") {
    auto snapshot = snapshot_of("4k3/8/8/8/8/8/q3P3/4K3 b - - 0 1", DisplayKind::evaluation);
    snapshot.contributions[core::Square::at(4, 1).index()] = -87;
    snapshot.contributions[core::Square::at(0, 1).index()] = 1'034;
    const auto lines = lines_of(format(snapshot));
    REQUIRE(lines.size() == 20);
    CHECK(lines[12] == " 2    q      .      .      .      P      .      .      .   ");
    CHECK(lines[13] == "   -10.34                       +0.87                      ");
    CHECK(lines[16] == "      a      b      c      d      e      f      g      h");
}

TEST_CASE("a position is shown from White's side", "[uci_writer]") {
    const auto lines =
        lines_of(format(snapshot_of("4k3/8/8/8/8/8/4r3/R3K3 w Q - 3 9", DisplayKind::diagram)));
    REQUIRE(lines.size() == 14);
    CHECK(lines[0] == " 8  . . . . k . . .");
    CHECK(lines[6] == " 2  . . . . r . . .");
    CHECK(lines[7] == " 1  R . . . K . . .");
    CHECK(lines[8] == "    a b c d e f g h");
    CHECK(lines[9].empty());
    CHECK(lines[10] == "Fen: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 3 9");
    CHECK(lines[11].substr(0, 5) == "Key: ");
    CHECK(lines[11].size() == 5 + 16);
    CHECK(lines[12] == "Checkers: e2");
    CHECK(lines[13] == "Legal moves: 3");
}

TEST_CASE("the key that is shown is Polyglot's", "[uci_writer]") {
    const auto text = format(snapshot_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                         DisplayKind::diagram));
    CHECK(text.find("Key: 463B96181691FC9C") != std::string::npos);
}

TEST_CASE("the identification ends with uciok", "[uci_writer]") {
    const auto lines = lines_of(identification());
    REQUIRE(lines.size() == 3 + option_descriptions().size() + uci_option_descriptions().size());
    CHECK(lines[0] == "id name Parley " + std::string{GeneralInterface::version()});
    CHECK(lines[1].substr(0, 10) == "id author ");
    CHECK(lines[1].size() > 10);
    CHECK(lines.back() == "uciok");
    for (std::size_t i = 2; i + 1 < lines.size(); ++i) {
        CAPTURE(lines[i]);
        CHECK(lines[i].substr(0, 12) == "option name ");
        CHECK(lines[i].find(" type ") != std::string::npos);
    }
}

TEST_CASE("options are listed with their types, defaults and bounds", "[uci_writer]") {
    const auto option = GENERATE("option name Hash type spin default 16 min 1 max 33554432",
                                 "option name Clear Hash type button",
                                 "option name Threads type spin default 1 min 1 max 1024",
                                 "option name MultiPV type spin default 1 min 1 max 256",
                                 "option name Ponder type check default false",
                                 "option name Move Overhead type spin default 10 min 0 max 10000",
                                 "option name EvalFile type string default <empty>",
                                 "option name SyzygyPath type string default <empty>",
                                 "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
                                 "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
                                 "option name Syzygy50MoveRule type check default true",
                                 "option name UCI_Chess960 type check default false",
                                 "option name UCI_AnalyseMode type check default false",
                                 "option name UCI_Opponent type string default <empty>",
                                 "option name Debug Log File type string default <empty>");
    CAPTURE(option);
    CHECK(identification().find(std::string{"\n"} + option + "\n") != std::string::npos);
}

TEST_CASE("help names every command", "[uci_writer]") {
    const auto word = GENERATE("uci", "isready", "setoption", "ucinewgame", "position", "go",
                               "stop", "ponderhit", "quit", "perft", "bench", "eval", "fen",
                               "searchmoves", "movestogo", "wtime", "movetime", "nodes", "mate");
    CAPTURE(word);
    CHECK(help_text().find(word) != std::string::npos);
}
