#include "core/move.hpp"

#include "tests/catch.hpp"

using namespace core;

TEST_CASE("a move has an origin, a target and a kind", "[move]") {
    const auto move = Move::normal("e2"_sq, "e4"_sq);
    CHECK(move.from() == "e2"_sq);
    CHECK(move.to() == "e4"_sq);
    CHECK(move.kind() == Move::Kind::normal);
    CHECK_FALSE(move.is_promotion());

    const auto castling = Move::castling("e1"_sq, "h1"_sq);
    CHECK(castling.kind() == Move::Kind::castling);
    CHECK(castling.to() == "h1"_sq);

    const auto en_passant = Move::en_passant("e5"_sq, "d6"_sq);
    CHECK(en_passant.kind() == Move::Kind::en_passant);
    CHECK_FALSE(en_passant.is_promotion());
}

TEST_CASE("a promotion has a piece type", "[move]") {
    const auto type =
        GENERATE(PieceType::knight, PieceType::bishop, PieceType::rook, PieceType::queen);
    const auto move = Move::promotion("h2"_sq, "g1"_sq, type);
    CHECK(move.kind() == Move::Kind::promotion);
    CHECK(move.is_promotion());
    CHECK(move.promoted_to() == type);
    CHECK(move.from() == "h2"_sq);
    CHECK(move.to() == "g1"_sq);
}

TEST_CASE("a move comes back from its 16 bits", "[move]") {
    for (const Move move :
         {Move::normal("a1"_sq, "h8"_sq), Move::castling("e8"_sq, "a8"_sq),
          Move::en_passant("a5"_sq, "b6"_sq), Move::promotion("b7"_sq, "b8"_sq, PieceType::rook)})
        CHECK(Move::from_bits(move.bits()) == move);
}

TEST_CASE("moves of different kinds differ", "[move]") {
    CHECK_FALSE(Move::normal("e1"_sq, "h1"_sq) == Move::castling("e1"_sq, "h1"_sq));
    CHECK_FALSE(Move::normal("e5"_sq, "d6"_sq) == Move::en_passant("e5"_sq, "d6"_sq));
    CHECK_FALSE(Move::promotion("e7"_sq, "e8"_sq, PieceType::queen)
                == Move::promotion("e7"_sq, "e8"_sq, PieceType::rook));
}

TEST_CASE("a list holds its moves in order", "[move]") {
    MoveList list;
    CHECK(list.empty());
    list.add(Move::normal("e2"_sq, "e4"_sq));
    list.add(Move::normal("d2"_sq, "d4"_sq));
    CHECK(list.size() == 2);
    CHECK(list[1] == Move::normal("d2"_sq, "d4"_sq));
    CHECK(list.contains(Move::normal("e2"_sq, "e4"_sq)));
    CHECK_FALSE(list.contains(Move::normal("e2"_sq, "e3"_sq)));
    CHECK(list.end() - list.begin() == 2);
}
