#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "tests/catch.hpp"

namespace tests {

/// The position of a FEN; the test fails if it is not valid.
inline core::Position position_of(std::string_view fen) {
    const auto position = core::read_fen(fen);
    INFO(fen);
    INFO((position ? std::string{"fine"} : position.reason()));
    REQUIRE(position);
    return *position;
}

/// The legal move that a text names; the test fails if there is none.
inline core::Move move_of(const core::Position& position, std::string_view text) {
    const auto move = core::read_move(position, text);
    INFO(core::fen(position));
    INFO((move ? std::string{"fine"} : move.reason()));
    REQUIRE(move);
    return *move;
}

/// The texts joined with spaces.
inline std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const auto& text : texts) {
        if (!all.empty())
            all += ' ';
        all += text;
    }
    return all;
}

/// Positions that cover every rule, for tests that walk or search each of them.
inline constexpr std::array varied_positions{
    // The six of the Chess Programming Wiki.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // Pinned pieces of every kind, along every line.
    "4r2k/8/b6b/3P1N2/4Q3/qP2K1Rr/3B4/2b1r1b1 w - - 0 1",
    "3r3k/8/q5b1/8/2P1R3/r1NK1B1r/2B1N3/1b1r2q1 w - - 0 1",
    "k3r3/8/8/b7/8/2N5/4R3/4K3 w - - 0 1",
    "7k/8/8/KP5r/8/8/8/8 w - - 0 1",
    "k7/4r3/8/8/4P3/8/8/4K3 w - - 0 1",
    "k7/8/8/7b/6P1/8/4K3/8 w - - 0 1",
    // Checks by one piece and by two, from near and far.
    "4k3/8/8/8/7b/8/3PPP2/3QKB2 w - - 0 1",
    "4r1k1/8/8/8/8/5n2/3P1P2/3QKB2 w - - 0 1",
    "4k3/8/4r3/8/1b6/8/8/R3K2R w KQ - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 2",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    // En passant: free, pinned in each way, against a check, and opening a check.
    "4k3/8/8/2pPp3/8/8/8/4K3 w - e6 0 2",
    "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 2",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/b7/1Pp5/8/3K4/8/8 w - c6 0 2",
    "2r1k3/8/8/1Pp5/8/8/8/2K5 w - c6 0 2",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "8/8/3k4/8/3pP3/8/8/3RK3 b - e3 0 1",
    // Promotions.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "1r2k3/P1P5/8/8/8/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/1p6/R2QK2R b KQ - 0 1",
    // Castling through and out of attacks.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/3b4/8/8/R3K2R w KQkq - 0 1",
    "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
    "r3k2r/8/8/8/8/5n2/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/6pp/R3K2R b KQkq - 0 1",
    // Chess960 castling: adjacent, crossing, a shielding rook, two rooks on one side.
    "1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1",
    "rk4r1/8/8/8/8/8/8/RK4R1 w GAga - 0 1",
    "4k3/8/8/8/8/8/8/qRK4R w HB - 0 1",
    "4k3/8/8/8/8/8/8/1RK3rR w B - 0 1",
    "5rkr/8/8/8/8/8/8/RR1K1R1R w FBhf - 0 1",
    "nrkr4/8/8/8/8/8/8/NRKR4 w DBdb - 0 1",
    "6kr/8/8/8/8/8/8/5RKb w F - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
    // The most moves, and none.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
};

}  // namespace tests
