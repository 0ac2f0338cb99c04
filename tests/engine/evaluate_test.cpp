#include "engine/evaluate/evaluate.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using core::Position;

namespace {

/// The same position with the colours exchanged and the board turned upside down.
Position mirrored(const Position& position) {
    core::Setup setup;
    for (int i = 0; i < core::Square::count; ++i) {
        const core::Square square{i};
        if (const auto piece = position.piece_on(square))
            setup.board[static_cast<std::size_t>(square.seen_by(core::Color::black).index())] =
                core::Piece{~piece->color(), piece->type()};
    }
    setup.side_to_move = ~position.side_to_move();
    for (const core::Square rook : position.castling_rooks())
        setup.castling_rooks |= core::Bitboard{rook.seen_by(core::Color::black)};
    if (const auto square = position.en_passant())
        setup.en_passant = square->seen_by(core::Color::black);
    setup.halfmove_clock = position.halfmove_clock();
    const auto result = Position::from(setup);
    REQUIRE(result);
    return *result;
}

/// What a position is worth to White.
Score for_white(const char* fen) {
    const auto position = tests::position_of(fen);
    const Score score = evaluate(position);
    return position.side_to_move() == core::Color::white ? score : -score;
}

}  // namespace

TEST_CASE("a position and its mirror image are worth the same to the player to move",
          "[evaluate]") {
    for (const auto& position : tests::random_positions(3'000, 12)) {
        if (evaluate(position) == evaluate(mirrored(position)))
            continue;
        CAPTURE(core::fen(position), evaluate(position), evaluate(mirrored(position)));
        FAIL_CHECK("the evaluation prefers a colour");
    }
}

TEST_CASE("an evaluation is never taken for a mate", "[evaluate]") {
    for (const auto& position : tests::random_positions(2'000, 13))
        REQUIRE_FALSE(is_decisive(evaluate(position)));
    const auto fen =
        GENERATE("QQQQQQQQ/QRR5/8/8/8/8/8/k6K w - - 0 1",
                 "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
                 "K7/8/8/8/8/8/1qrr4/qqqqqqqk b - - 0 1", "8/8/8/8/8/8/8/k6K w - - 0 1");
    const auto position = core::read_fen(fen);
    if (position)
        CHECK_FALSE(is_decisive(evaluate(*position)));
}

TEST_CASE("an evaluation depends on the position alone", "[evaluate]") {
    const auto positions = tests::random_positions(300, 14);
    std::vector<Score> once;
    for (const auto& position : positions)
        once.push_back(evaluate(position));
    for (std::size_t i = positions.size(); i-- > 0;)
        CHECK(evaluate(positions[i]) == once[i]);
}

TEST_CASE("to have more is to stand better", "[evaluate]") {
    const auto [fen, least] = GENERATE(table<const char*, Score>({
        // Black lacks a queen, a rook, a bishop, a knight, a pawn.
        {"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 700},
        {"1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 350},
        {"rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 200},
        {"r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 200},
        {"rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 0},
        // Endings.
        {"4k3/8/8/8/8/8/8/3QK3 b - - 0 1", 700},
        {"4k3/8/8/8/8/8/4P3/4KR2 w - - 0 1", 400},
        {"4k3/pp6/8/8/8/8/PPPP4/4K3 w - - 0 1", 50},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 100},
    }));
    CAPTURE(fen);
    CHECK(for_white(fen) > least);
}

TEST_CASE("an opening, and an ending that nobody can win, are about even", "[evaluate]") {
    const auto [fen, most] = GENERATE(table<const char*, Score>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 60},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 60},
        {"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", 60},
        {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 60},
        {"4k1r1/8/8/8/8/8/8/3RK1B1 w - - 0 1", 180},
    }));
    CAPTURE(fen);
    CHECK(std::abs(for_white(fen)) < most);
}

TEST_CASE("a passed pawn is worth more the further it has come", "[evaluate]") {
    Score before = for_white("7k/8/8/8/8/8/P7/7K w - - 0 1");
    for (const char* fen : {"7k/8/8/8/8/P7/8/7K w - - 0 1", "7k/8/8/8/P7/8/8/7K w - - 0 1",
                            "7k/8/8/P7/8/8/8/7K w - - 0 1", "7k/8/P7/8/8/8/8/7K w - - 0 1",
                            "7k/P7/8/8/8/8/8/7K w - - 0 1"}) {
        CAPTURE(fen);
        CHECK(for_white(fen) > before);
        before = for_white(fen);
    }
}
