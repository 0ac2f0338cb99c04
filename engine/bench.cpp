#include "engine/bench.hpp"

#include <array>

#include "core/fen.hpp"
#include "core/movegen.hpp"

#include "engine/search/search.hpp"

namespace engine {

namespace {

constexpr int default_depth = 12;
constexpr std::size_t tt_megabytes = 16;

/// Openings, middlegames with much and little tension, endings, a mate, a fortress and two
/// starts of Chess960.
constexpr std::array positions{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkbnr/p3pppp/1p6/2pp4/5P2/2P4N/PP1PP1PP/RNBQKB1R w KQkq - 0 4",
    "r1bqkbnr/1ppppp1p/p1n3p1/8/Q1P5/3P4/PP2PPPP/RNB1KBNR w KQkq - 0 4",
    "rnbqkb1r/ppp2ppp/4pn2/3p4/4P3/2PB4/PP1P1PPP/RNBQK1NR w KQkq - 0 4",
    "rnbq1rk1/pp2bppp/4pn2/2p3B1/3P4/2NB1N2/PPP1QPPP/R3K2R w KQ - 0 9",
    "r2q1rk1/ppp2ppp/2npbn2/2bNp3/4P3/3P1NP1/PPP2PBP/R1BQ1RK1 w - - 1 9",
    "r1bqk2r/pp1p1ppp/2n2n2/1N2p1B1/4P3/2b5/PPP2PPP/R2QKB1R w KQkq - 0 9",
    "rnbqk2r/pp2ppb1/2p3p1/6Bp/3PP2P/2P5/P4PP1/R2QKBNR w KQkq - 1 9",
    "6r1/4kp1p/p3N3/4P3/2N2n2/1P6/P6P/2KR4 b - - 0 30",
    "7r/1pk1p3/1p2Rbp1/2pP1p1p/P7/1BP4P/1P3PPK/8 b - - 0 27",
    "6k1/6pp/p1p5/8/2P2r2/1P2q3/P5K1/4R3 w - - 0 34",
    "8/4rpk1/1p4p1/p3P3/8/1q5P/PP2R1K1/8 w - - 0 46",
    "8/p4kp1/1Q3n1p/1p1p4/1Pp5/P4PP1/6KP/1R6 b - - 0 27",
    "5r1k/2p4p/1p6/pP1PRP1n/P7/3N2pP/8/6K1 b - - 0 40",
    "5r2/p5kn/4p2p/N1p5/P7/1P1PB3/2P5/4K3 w - - 0 38",
    "6r1/1pk1p3/p2np2p/8/2P2Pp1/1P2R1bP/6PK/2B5 w - - 0 31",
    "8/8/1p1k4/5ppp/PPK1p3/6P1/5PP1/8 b - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "5R2/2K5/8/8/3k4/8/3p4/8 w - - 0 1",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14",
    "2brrb2/8/p7/Q7/1p1kpPp1/1P1pN1K1/3P4/8 b - - 0 1",
    "8/3k1p2/2b1p1p1/4P1P1/3P1K2/2B5/8/8 w - - 3 60",
    "bqrknnrb/pppppppp/8/8/8/8/PPPPPPPP/RNNBKQBR w HAgc - 0 1",
    "qnrkbbnr/pppppppp/8/8/8/8/PPPPPPPP/BBNRKQRN w GDhc - 0 1",
};

}  // namespace

std::optional<BenchReport> run_bench(std::optional<int> depth,
                                     const evaluate::Evaluate& evaluate,
                                     SearchListener& listener) {
    const auto start = std::chrono::steady_clock::now();
    search::Search search{tt_megabytes, evaluate};
    BenchReport report;
    for (const char* const text : positions) {
        const core::Game game{*core::read_fen(text)};
        const auto moves = core::legal_moves(game.position());
        Limits limits;
        limits.depth = depth.value_or(default_depth);
        const Clock clock{limits, game.position().side_to_move(), Milliseconds{0}};
        SearchControl control{limits, clock, listener};
        search.run({game, {moves.begin(), moves.end()}}, control);
        if (control.stop_requested())
            return std::nullopt;
        report.nodes += search.nodes();
    }
    report.time = since(start);
    return report;
}

}  // namespace engine
