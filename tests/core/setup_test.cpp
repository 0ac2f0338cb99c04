#include "core/setup.hpp"

#include "core/position.hpp"

#include "tests/catch.hpp"

using namespace core;

namespace {

void place(Setup& setup, char letter, Square square) {
    setup.board[static_cast<std::size_t>(square.index())] = Piece::read(letter);
}

/// Two kings, a rook of White on h1 and one on e4.
Setup kings_and_rooks() {
    Setup setup;
    place(setup, 'K', "e1"_sq);
    place(setup, 'k', "g8"_sq);
    place(setup, 'R', "h1"_sq);
    place(setup, 'R', "e4"_sq);
    return setup;
}

}  // namespace

TEST_CASE("a setup finds its pieces", "[setup]") {
    const auto setup = kings_and_rooks();
    const Piece rook{Color::white, PieceType::rook};
    CHECK(setup.at("h1"_sq) == rook);
    CHECK_FALSE(setup.at("a1"_sq));
    CHECK(setup.pieces(rook) == (Bitboard{"h1"_sq} | Bitboard{"e4"_sq}));
    CHECK(setup.count(Color::white, PieceType::rook) == 2);
    CHECK(setup.count(Color::black, PieceType::rook) == 0);
}

TEST_CASE("a valid setup makes a position", "[setup]") {
    auto setup = kings_and_rooks();
    setup.castling_rooks = Bitboard{"h1"_sq};
    CHECK_FALSE(validate(setup));
    const auto position = Position::from(setup);
    REQUIRE(position);
    CHECK(position->castling_rook(Color::white, Side::king_side) == "h1"_sq);
    CHECK_FALSE(position->castling_rook(Color::white, Side::queen_side));
    CHECK_FALSE(position->castling_rook(Color::black, Side::king_side));
}

TEST_CASE("only a rook on its own first rank may castle", "[setup]") {
    auto setup = kings_and_rooks();
    const auto square = GENERATE("e4"_sq, "a1"_sq, "h8"_sq, "e1"_sq);
    CAPTURE(square.name());
    setup.castling_rooks = Bitboard{square};
    REQUIRE(validate(setup));
    CHECK(validate(setup)->reason.substr(0, 8) == "castling");
    CHECK_FALSE(Position::from(setup));
}

TEST_CASE("counters out of range are refused", "[setup]") {
    auto setup = kings_and_rooks();
    setup.halfmove_clock = -1;
    CHECK(validate(setup));
    setup.halfmove_clock = max_counter + 1;
    CHECK(validate(setup));
    setup.halfmove_clock = max_counter;
    CHECK_FALSE(validate(setup));
    setup.fullmove_number = max_counter + 1;
    CHECK(validate(setup));
}
