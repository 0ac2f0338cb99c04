#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using namespace uci::chezz::codec;

namespace {

using Texts = std::vector<std::string>;

/// The byte of a square after the moves.
int on(std::string_view square, const Texts& moves) {
    return tests::bytes_of(
        tests::chezz_game(moves))[board_at + index_of(*core::Square::read(square))];
}

std::string captured(const Texts& moves, StateFormat form = StateFormat::front_end) {
    const auto bytes = tests::bytes_of(tests::chezz_game(moves), form);
    const auto end = std::find(bytes.begin() + captured_at, bytes.end(), 0);
    return uci::util::hex(Bytes{bytes.begin() + captured_at, end});
}

int first_byte(const Texts& moves, StateFormat form) {
    return tests::bytes_of(tests::chezz_game(moves), form).front();
}

int rights(const Texts& moves, StateFormat form = StateFormat::front_end) {
    return tests::bytes_of(tests::chezz_game(moves), form)[rights_at];
}

}  // namespace

TEST_CASE("the start position has the bytes that chezz documents", "[chezz]") {
    const std::string rest = "02000f0403020506020304" "0101010101010101" + std::string(64, '0')
                           + "0909090909090909" "0c0b0a0d0e0a0b0c" "00";
    CHECK(uci::util::hex(tests::bytes_of(core::Game{}, StateFormat::server)) == "08" + rest);
    CHECK(uci::util::hex(tests::bytes_of(core::Game{}, StateFormat::front_end)) == "00" + rest);
}

TEST_CASE("the first byte is the side to move, with the server's flags", "[chezz]") {
    CHECK(first_byte({"a2a4"}, StateFormat::front_end) == 1);
    CHECK(first_byte({"a2a4"}, StateFormat::server) == 13);
    CHECK(first_byte({"a2a3"}, StateFormat::server) == 9);
    CHECK(first_byte({"a2a3", "a7a5"}, StateFormat::server) == 12);
    CHECK(first_byte({"a2a3", "a7a5"}, StateFormat::front_end) == 0);
    // A rook's move of two ranks is not a double step.
    CHECK(first_byte({"a2a4", "b7b6", "a1a3"}, StateFormat::server) == 9);
}

TEST_CASE("pieces have a flag for having moved", "[chezz]") {
    CHECK(on("e2", {}) == 1);
    CHECK(on("e4", {"e2e4"}) == 17);
    CHECK(on("g8", {"e2e4", "g8f6", "d2d4", "f6g8"}) == 27);
    const Texts castled{"g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7", "e1g1", "e8g8"};
    CHECK(on("g1", castled) == 22);
    CHECK(on("f1", castled) == 20);
    CHECK(on("g8", castled) == 30);
    CHECK(on("f8", castled) == 28);
    CHECK(on("a1", castled) == 4);
}

TEST_CASE("captured pieces are listed with the value that they had", "[chezz]") {
    CHECK(captured({"e2e4", "d7d5", "e4d5"}) == "19");
    CHECK(captured({"e2e4", "d7d5", "e4d5", "d8d5"}) == "1911");
    CHECK(captured({"e2e4", "d7d5", "f1b5", "c8d7", "b5d7"}) == "1a");
    CHECK(captured({"e2e4", "g7g6", "f1a6", "f8h6", "a6b7"}) == "09");
    CHECK(captured({"e2e4", "a7a6", "e4e5", "d7d5", "e5d6"}) == "19");
}

TEST_CASE("the format with the capture bug omits what a promoting pawn captures", "[chezz]") {
    const Texts moves{"a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "g8f6", "b7a8Q"};
    CHECK(captured(moves, StateFormat::server) == "19191a0c");
    CHECK(captured(moves, StateFormat::server_with_capture_bug) == "19191a");
    CHECK(rights(moves, StateFormat::server) == 11);
    CHECK(rights(moves, StateFormat::server_with_capture_bug) == 15);
    auto king_moved = moves;
    king_moved.insert(king_moved.end(), {"e7e6", "h2h3", "e8e7"});
    CHECK(rights(king_moved, StateFormat::server_with_capture_bug) == 3);
}

TEST_CASE("a draw without stalemate has the status of an open game", "[chezz]") {
    Texts moves;
    for (int i = 0; i < 4; ++i)
        moves.insert(moves.end(), {"g1f3", "g8f6", "f3g1", "f6g8"});
    const auto game = tests::chezz_game(moves);
    REQUIRE(game.outcome() == core::Outcome::threefold_repetition);
    CHECK(tests::bytes_of(game)[status_at] == 0);
}

TEST_CASE("a game from another start position is rejected", "[chezz]") {
    const core::Game game{tests::position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1")};
    const auto bytes = encode(game, StateFormat::front_end);
    REQUIRE_FALSE(bytes);
    CHECK(bytes.reason() == "chezz knows only games from the start of standard chess");
}
