#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using namespace uci::chezz::codec;

namespace {

/// One byte to change.
struct Change {
    std::size_t at;
    int value;
};

struct Damage {
    std::vector<std::string> moves;
    std::vector<Change> changes;
    std::string reason;
    StateFormat format = StateFormat::front_end;
};

std::size_t on(core::Square square) {
    return board_at + index_of(square);
}

/// The error of decoding, or "accepted".
std::string reason_of(const Bytes& bytes) {
    const auto decoded = decode(bytes);
    return decoded ? "accepted" : decoded.reason();
}

std::string reason_after(const Damage& damage) {
    auto bytes = tests::bytes_of(tests::chezz_game(damage.moves), damage.format);
    for (const auto& [at, value] : damage.changes) {
        REQUIRE(at < bytes.size());
        bytes[at] = static_cast<std::uint8_t>(value);
    }
    return reason_of(bytes);
}

/// The bytes of the start position, followed by these instead of an empty list of captures.
Bytes start_with(std::initializer_list<int> rest) {
    auto bytes = tests::bytes_of(core::Game{});
    bytes.pop_back();
    for (const int byte : rest)
        bytes.push_back(static_cast<std::uint8_t>(byte));
    return bytes;
}

using namespace core;

}  // namespace

TEST_CASE("too few bytes are rejected", "[chezz]") {
    const auto start = tests::bytes_of(core::Game{});
    REQUIRE(start.size() == 69);
    CHECK(reason_of(Bytes{}) == "a game has at least 69 bytes, this one has 0");
    CHECK(reason_of({start.begin(), start.end() - 1})
          == "a game has at least 69 bytes, this one has 68");
}

TEST_CASE("invalid header bytes are rejected", "[chezz]") {
    const auto damage = GENERATE(values<Damage>({
        {{}, {{0, 2}}, "turn: byte 0 is 2, whose lower two bits are 2, which is not a side"},
        {{}, {{0, 11}}, "turn: byte 0 is 11, whose lower two bits are 3, which is not a side"},
        {{}, {{0, 16}}, "version: 2 is unknown"},
        {{}, {{0, 248}}, "version: 31 is unknown"},
        {{}, {{0, 4}}, "version: byte 0 is 4, as in an older layout with the board upside down"},
        {{}, {{1, 3}}, "player in check: 3 is more than 2"},
        {{}, {{2, 3}}, "end of the game: 3 is more than 2"},
        {{}, {{3, 16}}, "castling rights: 16 is more than 15"},
    }));
    CHECK(reason_after(damage) == damage.reason);
}

TEST_CASE("a board with what is not a piece is refused", "[chezz]") {
    const auto value = GENERATE(7, 8, 15, 16, 23, 24, 31, 32, 33, 64, 129, 255);
    CHECK(reason_after({{}, {{on("e4"_sq), value}}, ""})
          == "board: e4 holds " + std::to_string(value) + ", which is not a piece");
}

TEST_CASE("a side without exactly one king is rejected", "[chezz]") {
    const auto damage = GENERATE(values<Damage>({
        {{}, {{on("e1"_sq), 0}}, "board: White has 0 kings"},
        {{}, {{on("e8"_sq), 13}}, "board: Black has 0 kings"},
        {{}, {{on("e4"_sq), 22}}, "board: White has 2 kings"},
        {{}, {{on("e4"_sq), 14}}, "board: Black has 2 kings"},
    }));
    CHECK(reason_after(damage) == damage.reason);
}

TEST_CASE("invalid or unterminated captured pieces are rejected", "[chezz]") {
    CHECK(reason_of(start_with({7, 0})) == "captured pieces: 7 is not a piece");
    CHECK(reason_of(start_with({25, 33, 0})) == "captured pieces: 33 is not a piece");
    CHECK(reason_of(start_with({1})) == "captured pieces: the list has no end");
}

TEST_CASE("malformed moves are rejected", "[chezz]") {
    const auto refused = [](std::initializer_list<int> rest, const char* reason) {
        CHECK(reason_of(start_with(rest)) == reason);
    };
    refused({0, 64, 28}, "move 1: 64 is not a square");
    refused({0, 255, 28}, "move 1: 255 is not a square");
    refused({0, 12, 64}, "move 1: 64 is not a square");
    refused({0, 12, 28, 52, 128 + 100, 1}, "move 2: 100 is not a square");
    refused({0, 12}, "move 1: is truncated");
    refused({0, 12, 28, 52}, "move 2: is truncated");
    refused({0, 12, 128 + 28}, "move 1: is truncated before its tag");
    refused({0, 12, 128 + 28, 0}, "move 1: 0 is not a tag");
    refused({0, 12, 128 + 28, 6}, "move 1: 6 is not a tag");
}

TEST_CASE("illegal moves are rejected", "[chezz]") {
    const auto refused = [](std::initializer_list<int> rest, const char* reason) {
        CHECK(reason_of(start_with(rest)) == reason);
    };
    refused({0, 52, 36}, "move 1: e7e5 is not legal there");
    refused({0, 12, 28, 12, 20}, "move 2: e2e3 is not legal there");
    refused({0, 4, 6}, "move 1: e1g1 is not legal there");
    refused({0, 4, 7}, "move 1: e1h1 is not legal there");
    refused({0, 12, 12}, "move 1: e2e2 is not legal there");
    refused({0, 12, 128 + 28, 1}, "move 1: e2e4 with tag 1 is not legal there");
    refused({0, 12, 128 + 28, 5}, "move 1: e2e4 with tag 5 is not legal there");
}

TEST_CASE("special moves need their tags", "[chezz]") {
    // g7g8 without its tag, a capture en passant without its tag, a move after checkmate.
    const std::vector<std::string> promotion{"h2h4", "g7g5", "h4g5", "h7h6", "g5h6",
                                             "g8f6", "h6h7", "f6g8", "h7g8Q"};
    auto bytes = tests::bytes_of(tests::chezz_game(promotion));
    bytes.pop_back();
    bytes.back() &= square_mask;
    CHECK(reason_of(bytes) == "move 9: h7g8 is not legal there");

    bytes = tests::bytes_of(tests::chezz_game({"e2e4", "a7a6", "e4e5", "d7d5", "e5d6"}));
    bytes.pop_back();
    bytes.back() &= square_mask;
    CHECK(reason_of(bytes) == "move 5: e5d6 is not legal there");

    bytes = tests::bytes_of(tests::chezz_game({"f2f3", "e7e5", "g2g4", "d8h4"}));
    bytes.insert(bytes.end(), {8, 16});
    CHECK(reason_of(bytes) == "move 5: a2a3 is not legal there");
}

TEST_CASE("bytes that disagree with the moves are rejected", "[chezz]") {
    const std::vector<std::string> capture{"e2e4", "d7d5", "e4d5"};
    const auto damage = GENERATE_COPY(values<Damage>({
        {capture, {{0, 0}}, "turn and double step: not what the moves lead to"},
        {capture,
         {{0, 8}},
         "turn and double step: not what the moves lead to",
         StateFormat::server},
        {capture,
         {{0, 13}},
         "turn and double step: not what the moves lead to",
         StateFormat::server},
        {{"e2e4"},
         {{0, 9}},
         "turn and double step: not what the moves lead to",
         StateFormat::server},
        {capture, {{1, 0}}, "player in check: not what the moves lead to"},
        {capture, {{2, 1}}, "end of the game: not what the moves lead to"},
        {capture, {{3, 7}}, "castling rights: not what the moves lead to"},
        {capture, {{on("d5"_sq), 1}}, "board: d5: not what the moves lead to"},
        {capture, {{on("d5"_sq), 18}}, "board: d5: not what the moves lead to"},
        {capture, {{on("a2"_sq), 0}}, "board: a2: not what the moves lead to"},
        {{}, {{on("e4"_sq), 1}}, "board: e4: not what the moves lead to"},
        {capture, {{captured_at, 9}}, "captured pieces: not what the moves lead to"},
        {capture, {{captured_at, 26}}, "captured pieces: not what the moves lead to"},
    }));
    CHECK(reason_after(damage) == damage.reason);
}

TEST_CASE("too many or too few captured pieces are rejected", "[chezz]") {
    auto bytes = tests::bytes_of(tests::chezz_game({"e2e4", "d7d5", "e4d5"}));
    bytes.insert(bytes.begin() + captured_at, 25);
    CHECK(reason_of(bytes) == "captured pieces: not what the moves lead to");
    bytes.erase(bytes.begin() + captured_at, bytes.begin() + captured_at + 2);
    CHECK(reason_of(bytes) == "captured pieces: not what the moves lead to");
}

TEST_CASE("the upside-down board of old chezz versions is rejected", "[chezz]") {
    auto bytes = tests::bytes_of(core::Game{});
    for (std::size_t i = 0; i < 32; ++i)
        std::swap(bytes[board_at + i], bytes[board_at + (i ^ 56)]);
    CHECK(reason_of(bytes) == "board: a1: not what the moves lead to");
}

TEST_CASE("the front end's format does not allow the capture bug", "[chezz]") {
    const auto game = tests::chezz_game(
        {"a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "g8f6", "a6a7", "f6g8", "a7b8Q"});
    auto bytes = tests::bytes_of(game, StateFormat::server_with_capture_bug);
    REQUIRE(decode(bytes));
    CHECK(decode(bytes)->format == StateFormat::server_with_capture_bug);
    bytes[turn_at] = 1;
    CHECK(reason_of(bytes) == "captured pieces: not what the moves lead to");
}
