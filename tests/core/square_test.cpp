#include "core/square.hpp"

#include <set>

#include "tests/catch.hpp"

using namespace core;

TEST_CASE("a square has a file, a rank, an index and a name", "[square]") {
    std::set<std::string> names;
    for (int rank = 0; rank < 8; ++rank) {
        for (int file = 0; file < 8; ++file) {
            const auto square = Square::at(file, rank);
            CHECK(square.file() == file);
            CHECK(square.rank() == rank);
            CHECK(square.index() == 8 * rank + file);
            CHECK(Square::read(square.name()) == square);
            names.insert(square.name());
        }
    }
    CHECK(names.size() == 64);
    CHECK("a1"_sq.index() == 0);
    CHECK("h1"_sq.index() == 7);
    CHECK("e4"_sq == Square::at(4, 3));
    CHECK("h8"_sq.index() == 63);
}

TEST_CASE("what is not a square is refused", "[square]") {
    const auto text = GENERATE("", "e", "e9", "e0", "i1", "E4", "4e", "e44", " e4", "`1");
    CAPTURE(text);
    CHECK_FALSE(Square::read(text));
}

TEST_CASE("relative ranks and squares count from the player's own side", "[square]") {
    CHECK("e2"_sq.relative_rank(Color::white) == 1);
    CHECK("e2"_sq.relative_rank(Color::black) == 6);
    CHECK("e2"_sq.relative_square(Color::white) == "e2"_sq);
    CHECK("e2"_sq.relative_square(Color::black) == "e7"_sq);
    CHECK("a8"_sq.relative_square(Color::black) == "a1"_sq);
}

TEST_CASE("inverting a colour twice gives the same colour", "[square]") {
    for (const Color color : both_colors) {
        CHECK(~color != color);
        CHECK(~~color == color);
    }
}
