#include "core/position.hpp"

#include "core/movegen.hpp"

#include "tests/core/positions.hpp"

using namespace core;
using tests::move_of;
using tests::position_of;

namespace {

std::string names(Bitboard squares) {
    std::vector<std::string> texts;
    for (const Square square : squares)
        texts.push_back(square.name());
    return tests::joined(texts);
}

std::string describe(std::span<const PieceOnSquare> pieces) {
    std::vector<std::string> texts;
    for (const auto& [piece, square] : pieces)
        texts.push_back(piece.letter() + square.name());
    return tests::joined(texts);
}

}  // namespace

TEST_CASE("piece_on and pieces agree with the FEN", "[position]") {
    const auto& start = Position::start();
    CHECK(start.piece_on("e1"_sq) == Piece{Color::white, PieceType::king});
    CHECK(start.piece_on("d8"_sq) == Piece{Color::black, PieceType::queen});
    CHECK_FALSE(start.piece_on("e4"_sq));
    CHECK(start.pieces().count() == 32);
    CHECK(names(start.pieces(Color::white, PieceType::rook)) == "a1 h1");
    CHECK(names(start.pieces(Color::black, PieceType::bishop, PieceType::queen)) == "c8 d8 f8");
    CHECK(start.king(Color::black) == "e8"_sq);
    CHECK(start.side_to_move() == Color::white);
    CHECK(start.castling_rooks().count() == 4);
}

TEST_CASE("dirty_pieces are the pieces removed and added", "[position]") {
    using Row = std::tuple<std::string, std::string, std::string, std::string>;
    const auto [fen, move, leaves, arrives] = GENERATE(values<Row>({
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "Pe2", "Pe4"},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "Pe4 pd5", "Pd5"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "Pe5 pd5", "Pd6"},
        {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "pd4 Pe4", "pe3"},
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "Ke1 Rh1", "Kg1 Rf1"},
        {"r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8", "ke8 ra8", "kc8 rd8"},
        {"4k3/8/8/8/8/8/8/1K1R4 w D - 0 1", "O-O", "Kb1 Rd1", "Kg1 Rf1"},
        {"4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "O-O-O", "Kd1 Rc1", "Kc1 Rd1"},
        {"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "Pa7", "Qa8"},
        {"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "Pa7 nb8", "Nb8"},
    }));
    CAPTURE(fen, move);
    const auto position = position_of(fen);
    const auto effect = position.dirty_pieces(move_of(position, move));
    CHECK(describe(effect.removed_pieces()) == leaves);
    CHECK(describe(effect.added_pieces()) == arrives);
}

TEST_CASE("play makes the next position", "[position]") {
    const auto [fen, move, next] = GENERATE(table<std::string, std::string, std::string>({
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 5 9", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 9"},
        {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 9", "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9"},
        {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", "d4e3", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 10"},
        {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 7 9", "e8e7", "8/4k3/8/8/3pP3/8/8/4K3 w - - 8 10"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 9"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 9"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "a1b1", "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 4 9"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9", "e8d8", "r2k3r/8/8/8/8/8/8/R3K2R w KQ - 4 10"},
        {"1n2k3/P7/8/8/8/8/8/4K3 w - - 5 9", "a7b8q", "1Q2k3/8/8/8/8/8/8/4K3 b - - 0 9"},
        {"4k3/8/8/8/8/8/8/1RK4R w HB - 0 9", "O-O-O", "4k3/8/8/8/8/8/8/2KR3R b - - 1 9"},
    }));
    CAPTURE(fen, move);
    const auto position = position_of(fen);
    CHECK(core::fen(position.after(move_of(position, move))) == next);
    CHECK(position.after(move_of(position, move)) == position_of(next));
}

TEST_CASE("a null move changes only the side to move", "[position]") {
    const auto position = position_of("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 4 9");
    const auto passed = position.after_null_move();
    CHECK(fen(passed) == "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 5 9");
    CHECK(passed.key() == passed.compute_key());
    CHECK(passed.after_null_move().key()
          == position_of("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq -").key());
}

TEST_CASE("checkers and pins belong to the side to move", "[position]") {
    using Row = std::tuple<std::string, std::string, std::string, std::string>;
    const auto [fen, checkers, orthogonal, diagonal] = GENERATE(values<Row>({
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "", ""},
        {"4k3/8/8/8/7b/8/8/4K3 w - - 0 1", "h4", "", ""},
        {"4r1k1/8/8/8/8/5n2/8/4K3 w - - 0 1", "f3 e8", "", ""},
        {"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "d2", "", ""},
        {"4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1", "", "e2 e3 e4 e5 e6 e7 e8", ""},
        {"6k1/8/8/8/7q/6P1/8/4K3 w - - 0 1", "", "", "f2 g3 h4"},
        // Two own pieces, or one of the opponent's, between: no pin.
        {"4r1k1/8/4N3/8/4N3/8/8/4K3 w - - 0 1", "", "", ""},
        {"4r1k1/8/8/8/4n3/8/8/4K3 w - - 0 1", "", "", ""},
        // A rook does not pin along diagonals.
        {"6k1/8/8/8/7r/6P1/8/4K3 w - - 0 1", "", "", ""},
        {"4k3/4r3/8/8/8/8/8/4R1K1 b - - 0 1", "", "e1 e2 e3 e4 e5 e6 e7", ""},
    }));
    CAPTURE(fen);
    const auto position = position_of(fen);
    CHECK(names(position.checkers()) == checkers);
    CHECK(position.in_check() == !checkers.empty());
    CHECK(names(position.orthogonal_pins()) == orthogonal);
    CHECK(names(position.diagonal_pins()) == diagonal);
}

TEST_CASE("attackers use the given occupancy", "[position]") {
    const auto position = position_of("3r2k1/8/1b6/4p3/3P4/2N5/8/B2RK3 w - - 0 1");
    CHECK(names(position.attackers("d4"_sq, position.pieces())) == "d1 e5 b6 d8");
    CHECK(names(position.attackers("d4"_sq, position.pieces() ^ Bitboard{"c3"_sq}))
          == "a1 d1 e5 b6 d8");
    CHECK(position.is_attacked("d4"_sq, Color::white, position.pieces()));
    CHECK(position.is_attacked("d4"_sq, Color::black, position.pieces()));
    CHECK_FALSE(position.is_attacked("h4"_sq, Color::black, position.pieces() ^ Bitboard{"d8"_sq}));
}

TEST_CASE("is_attacked agrees with attackers on every square", "[position]") {
    for (const auto* text : tests::varied_positions) {
        const auto position = position_of(text);
        for (int i = 0; i < Square::count; ++i) {
            const Square square{i};
            const auto attackers = position.attackers(square, position.pieces());
            for (const Color color : both_colors) {
                if (position.is_attacked(square, color, position.pieces())
                    == (attackers & position.pieces(color)).empty())
                    FAIL(text << ' ' << square.name());
            }
        }
    }
}

TEST_CASE("captures and promotions are noisy", "[position]") {
    const auto [fen, move, capture, noisy] = GENERATE(table<std::string, std::string, bool, bool>({
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", true, true},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4e5", false, false},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", true, true},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false, false},
        {"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", false, true},
        {"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", true, true},
    }));
    CAPTURE(fen, move);
    const auto position = position_of(fen);
    CHECK(position.is_capture(move_of(position, move)) == capture);
    CHECK(position.is_noisy(move_of(position, move)) == noisy);
}

TEST_CASE("insufficient material is recognised", "[position]") {
    const auto [fen, insufficient] = GENERATE(table<std::string, bool>({
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
        {"4kn2/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true},  // c1 and f8 are both dark
        {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false},
        {"2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false},
        {"4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false},
        {"4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", false},
        {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false},
    }));
    CAPTURE(fen);
    CHECK(position_of(fen).has_insufficient_material() == insufficient);
}

TEST_CASE("castling squares are the same in chess and Chess960", "[position]") {
    CHECK(castled_king(Color::white, Side::king_side) == "g1"_sq);
    CHECK(castled_rook(Color::white, Side::king_side) == "f1"_sq);
    CHECK(castled_king(Color::black, Side::queen_side) == "c8"_sq);
    CHECK(castled_rook(Color::black, Side::queen_side) == "d8"_sq);
    CHECK(side_of_castling(Move::castling("b1"_sq, "a1"_sq)) == Side::queen_side);
    CHECK(side_of_castling(Move::castling("b1"_sq, "c1"_sq)) == Side::king_side);
}

TEST_CASE("is_chess960 recognises other castling setups", "[position]") {
    const auto [fen, unusual] = GENERATE(table<const char*, bool>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false},
        {"4k3/8/8/8/8/8/8/RK5R w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/RK5R w Q - 0 1", true},
        {"1r2k2r/8/8/8/8/8/8/4K3 w b - 0 1", true},
        {"1r2k2r/8/8/8/8/8/8/4K3 w h - 0 1", false},
    }));
    CAPTURE(fen);
    CHECK(position_of(fen).is_chess960() == unusual);
}

TEST_CASE("the ply of a game follows from the move number and the side to move", "[position]") {
    CHECK(Position::start().game_ply() == 0);
    CHECK(tests::position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 9").game_ply() == 17);
}
