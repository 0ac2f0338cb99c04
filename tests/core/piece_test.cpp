#include "core/piece.hpp"

#include <set>

#include "tests/catch.hpp"

using namespace core;

TEST_CASE("a piece has a colour, a type, a letter and an index", "[piece]") {
    std::set<std::size_t> numbers;
    for (const Color color : both_colors) {
        for (const PieceType type : all_piece_types) {
            const Piece piece{color, type};
            CHECK(piece.color() == color);
            CHECK(piece.type() == type);
            CHECK(Piece::read(piece.letter()) == piece);
            CHECK(Piece::from_index(piece.index()) == piece);
            numbers.insert(piece.index());
        }
    }
    CHECK(numbers.size() == Piece::count);
    CHECK(*numbers.rbegin() == Piece::count - 1);
}

TEST_CASE("upper case letters are White's pieces", "[piece]") {
    CHECK(Piece::read('N') == Piece{Color::white, PieceType::knight});
    CHECK(Piece::read('n') == Piece{Color::black, PieceType::knight});
    CHECK(Piece::read('P') == Piece{Color::white, PieceType::pawn});
    CHECK(Piece::read('k') == Piece{Color::black, PieceType::king});
}

TEST_CASE("a letter that is not a piece is refused", "[piece]") {
    const char letter = GENERATE('x', 'A', '1', ' ', '\0', '/');
    CAPTURE(letter);
    CHECK_FALSE(Piece::read(letter));
}

TEST_CASE("pieces and colours have English names", "[piece]") {
    CHECK(name(PieceType::pawn) == "pawn");
    CHECK(name(PieceType::king) == "king");
    CHECK(name(Color::white) == "White");
    CHECK(name(Color::black) == "Black");
}
