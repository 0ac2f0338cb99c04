#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;

namespace {

using Words = std::vector<std::string>;

/// What a square of the board holds after the moves.
int on(std::string_view square, const Words& moves) {
    return tests::bytes_of(
        tests::chezz_game(moves))[board_at + index_of(*core::Square::read(square))];
}

std::string captured(const Words& moves, Form form = Form::front_end) {
    const auto bytes = tests::bytes_of(tests::chezz_game(moves), form);
    const auto end = std::find(bytes.begin() + captured_at, bytes.end(), 0);
    return hex(Bytes{bytes.begin() + captured_at, end});
}

int first_byte(const Words& moves, Form form) {
    return tests::bytes_of(tests::chezz_game(moves), form).front();
}

int rights(const Words& moves, Form form = Form::front_end) {
    return tests::bytes_of(tests::chezz_game(moves), form)[rights_at];
}

}  // namespace

TEST_CASE("the start of a game has the bytes of chezz's description", "[chezz]") {
    const std::string rest = "02000f0403020506020304" "0101010101010101" + std::string(64, '0')
                           + "0909090909090909" "0c0b0a0d0e0a0b0c" "00";
    CHECK(hex(tests::bytes_of(core::Game{}, Form::server)) == "08" + rest);
    CHECK(hex(tests::bytes_of(core::Game{}, Form::front_end)) == "00" + rest);
}

TEST_CASE("the first byte tells the turn, and the server's the last step too", "[chezz]") {
    CHECK(first_byte({"a2a4"}, Form::front_end) == 1);
    CHECK(first_byte({"a2a4"}, Form::server) == 13);
    CHECK(first_byte({"a2a3"}, Form::server) == 9);
    CHECK(first_byte({"a2a3", "a7a5"}, Form::server) == 12);
    CHECK(first_byte({"a2a3", "a7a5"}, Form::front_end) == 0);
    // A rook's move of two ranks is no double step.
    CHECK(first_byte({"a2a4", "b7b6", "a1a3"}, Form::server) == 9);
}

TEST_CASE("pieces remember that they have moved", "[chezz]") {
    CHECK(on("e2", {}) == 1);
    CHECK(on("e4", {"e2e4"}) == 17);
    CHECK(on("g8", {"e2e4", "g8f6", "d2d4", "f6g8"}) == 27);
    const Words castled{"g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7", "e1g1", "e8g8"};
    CHECK(on("g1", castled) == 22);
    CHECK(on("f1", castled) == 20);
    CHECK(on("g8", castled) == 30);
    CHECK(on("f8", castled) == 28);
    CHECK(on("a1", castled) == 4);
}

TEST_CASE("captured pieces are listed as they stood", "[chezz]") {
    CHECK(captured({"e2e4", "d7d5", "e4d5"}) == "19");
    CHECK(captured({"e2e4", "d7d5", "e4d5", "d8d5"}) == "1911");
    CHECK(captured({"e2e4", "d7d5", "f1b5", "c8d7", "b5d7"}) == "1a");
    CHECK(captured({"e2e4", "g7g6", "f1a6", "f8h6", "a6b7"}) == "09");
    CHECK(captured({"e2e4", "a7a6", "e4e5", "d7d5", "e5d6"}) == "19");
}

TEST_CASE("the flawed server overlooks what a promoting pawn takes", "[chezz]") {
    const Words moves{"a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "g8f6", "b7a8Q"};
    CHECK(captured(moves, Form::server) == "19191a0c");
    CHECK(captured(moves, Form::flawed_server) == "19191a");
    CHECK(rights(moves, Form::server) == 11);
    CHECK(rights(moves, Form::flawed_server) == 15);
    auto king_moved = moves;
    king_moved.insert(king_moved.end(), {"e7e6", "h2h3", "e8e7"});
    CHECK(rights(king_moved, Form::flawed_server) == 3);
}

TEST_CASE("a draw that is no stalemate leaves the game open", "[chezz]") {
    Words moves;
    for (int i = 0; i < 4; ++i)
        moves.insert(moves.end(), {"g1f3", "g8f6", "f3g1", "f6g8"});
    const auto game = tests::chezz_game(moves);
    REQUIRE(game.outcome() == core::Outcome::threefold_repetition);
    CHECK(tests::bytes_of(game)[status_at] == 0);
}

TEST_CASE("a game from another start has no bytes", "[chezz]") {
    const core::Game game{tests::position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1")};
    const auto bytes = encode(game, Form::front_end);
    REQUIRE_FALSE(bytes);
    CHECK(bytes.reason() == "chezz knows only games from the start of standard chess");
}
