#include "engine/evaluate/evaluate.hpp"

#include "engine/evaluate/nnue/embedded.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using core::Position;

namespace {

Score score_of(const Position& position) {
    static const evaluate::Evaluate evaluate;
    return evaluate(position);
}

/// The position with the colours exchanged and the board flipped vertically.
Position mirrored(const Position& position) {
    core::Setup setup;
    for (int i = 0; i < core::Square::count; ++i) {
        const core::Square square{i};
        if (const auto piece = position.piece_on(square))
            setup.board[static_cast<std::size_t>(
                square.relative_square(core::Color::black).index())] =
                core::Piece{~piece->color(), piece->type()};
    }
    setup.side_to_move = ~position.side_to_move();
    for (const core::Square rook : position.castling_rooks())
        setup.castling_rooks |= core::Bitboard{rook.relative_square(core::Color::black)};
    if (const auto square = position.en_passant())
        setup.en_passant = square->relative_square(core::Color::black);
    setup.halfmove_clock = position.halfmove_clock();
    const auto result = Position::from(setup);
    REQUIRE(result);
    return *result;
}

/// The score for White.
Score for_white(const char* fen) {
    const auto position = tests::position_of(fen);
    const Score score = score_of(position);
    return position.side_to_move() == core::Color::white ? score : -score;
}

}  // namespace

TEST_CASE("a position and its mirror image have the same score for the side to move",
          "[evaluate]") {
    for (const auto& position : tests::random_positions(3'000, 12)) {
        if (score_of(position) == score_of(mirrored(position)))
            continue;
        CAPTURE(core::fen(position), score_of(position), score_of(mirrored(position)));
        FAIL_CHECK("the evaluation is not symmetric");
    }
}

TEST_CASE("an evaluation is never a mate score", "[evaluate]") {
    for (const auto& position : tests::random_positions(2'000, 13))
        REQUIRE_FALSE(is_decisive(score_of(position)));
    const auto fen =
        GENERATE("1QQQQQQ1/1RR4Q/8/8/8/8/8/k6K w - - 0 1",
                 "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
                 "K6k/8/8/8/8/8/1rr4q/1qqqqqq1 b - - 0 1", "8/8/8/8/8/8/8/k6K w - - 0 1");
    CAPTURE(fen);
    const auto position = core::read_fen(fen);
    REQUIRE(position);
    CHECK_FALSE(is_decisive(score_of(*position)));
}

TEST_CASE("an evaluation depends on the position alone", "[evaluate]") {
    const auto positions = tests::random_positions(300, 14);
    std::vector<Score> once;
    for (const auto& position : positions)
        once.push_back(score_of(position));
    for (std::size_t i = positions.size(); i-- > 0;)
        CHECK(score_of(positions[i]) == once[i]);
}

TEST_CASE("more material gives a better score", "[evaluate]") {
    const auto [fen, least] = GENERATE(table<const char*, Score>({
        // Black lacks a queen, a rook, a bishop, a knight, two pawns.
        {"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 500},
        {"1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 250},
        {"rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 100},
        {"r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 100},
        {"rnbqkbnr/pppp2pp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 0},
        // Endings.
        {"4k3/8/8/8/8/8/8/3QK3 b - - 0 1", 500},
        {"4k3/8/8/8/8/8/4P3/4KR2 w - - 0 1", 300},
        {"4k3/pp6/8/8/8/8/PPPP4/4K3 w - - 0 1", 50},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 100},
    }));
    CAPTURE(fen);
    CHECK(for_white(fen) > least);
}

TEST_CASE("where nobody can mate, the score is a draw", "[evaluate]") {
    for (const char* fen : {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
                            "4k1n1/8/8/8/8/8/8/4K3 w - - 0 1"})
        CHECK(score_of(tests::position_of(fen)) == draw);
}

TEST_CASE("the start position is about equal", "[evaluate]") {
    CHECK(std::abs(for_white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")) < 60);
    CHECK(std::abs(for_white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")) < 60);
}

TEST_CASE("almost every piece contributes to its side's score", "[evaluate]") {
    int pieces = 0;
    int useless = 0;
    for (const auto& position : tests::random_positions(1'000, 15)) {
        const auto worth = nnue::contributions(*nnue::embedded_network(), position);
        for (const auto square : position.pieces()) {
            const auto score = worth[static_cast<std::size_t>(square.index())];
            const auto piece = *position.piece_on(square);
            REQUIRE(score.has_value() == (piece.type() != core::PieceType::king));
            if (!score)
                continue;
            ++pieces;
            useless += (piece.color() == position.side_to_move() ? *score : -*score) > 0 ? 0 : 1;
        }
    }
    CAPTURE(pieces, useless);
    CHECK(pieces > 5'000);
    CHECK(useless < pieces / 20);
}

TEST_CASE("a contribution is the drop of the score without the piece", "[evaluate]") {
    const auto network = nnue::embedded_network();
    const auto with = tests::position_of("4k3/2n5/8/8/3P4/8/3R4/4K3 w - - 0 1");
    const auto worth = nnue::contributions(*network, with);
    const auto without = [&](const char* fen) {
        return nnue::evaluate(*network, with) - nnue::evaluate(*network, tests::position_of(fen));
    };
    CHECK(worth[core::Square::at(3, 1).index()] == without("4k3/2n5/8/8/3P4/8/8/4K3 w - - 0 1"));
    CHECK(worth[core::Square::at(3, 3).index()] == without("4k3/2n5/8/8/8/8/3R4/4K3 w - - 0 1"));
    CHECK(worth[core::Square::at(2, 6).index()] == without("4k3/8/8/8/3P4/8/3R4/4K3 w - - 0 1"));
}

TEST_CASE("a pawn's contribution is also that of its pairs", "[evaluate]") {
    const auto network = nnue::embedded_network();
    REQUIRE(network->knows_pawn_pairs());
    const auto with = tests::position_of("4k3/2n1p3/8/8/3P4/4P3/3R4/4K3 w - - 0 1");
    const auto worth = nnue::contributions(*network, with);
    const auto without = [&](const char* fen) {
        return nnue::evaluate(*network, with) - nnue::evaluate(*network, tests::position_of(fen));
    };
    CHECK(worth[core::Square::at(3, 3).index()]
          == without("4k3/2n1p3/8/8/8/4P3/3R4/4K3 w - - 0 1"));
    CHECK(worth[core::Square::at(4, 2).index()]
          == without("4k3/2n1p3/8/8/3P4/8/3R4/4K3 w - - 0 1"));
    CHECK(worth[core::Square::at(4, 6).index()]
          == without("4k3/2n5/8/8/3P4/4P3/3R4/4K3 w - - 0 1"));
}
