#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;

namespace {

/// Bytes of a game with other values in some places.
struct Change {
    std::size_t at;
    int value;
};

struct Damage {
    std::vector<std::string> moves;
    std::vector<Change> changes;
    std::string reason;
    Form form = Form::front_end;
};

std::size_t on(core::Square square) {
    return board_at + index_of(square);
}

/// What decoding says about bytes that it refuses.
std::string reason_of(const Bytes& bytes) {
    const auto state = decode(bytes);
    return state ? "accepted" : state.reason();
}

std::string reason_after(const Damage& damage) {
    auto bytes = tests::bytes_of(tests::chezz_game(damage.moves), damage.form);
    for (const auto& [at, value] : damage.changes) {
        REQUIRE(at < bytes.size());
        bytes[at] = static_cast<std::uint8_t>(value);
    }
    return reason_of(bytes);
}

/// The bytes of the start of a game with other captured pieces, their end, and moves.
Bytes start_with(std::initializer_list<int> rest) {
    auto bytes = tests::bytes_of(core::Game{});
    bytes.pop_back();
    for (const int byte : rest)
        bytes.push_back(static_cast<std::uint8_t>(byte));
    return bytes;
}

using namespace core;

}  // namespace

TEST_CASE("bytes that are too few are refused", "[chezz]") {
    const auto start = tests::bytes_of(core::Game{});
    REQUIRE(start.size() == 69);
    CHECK(reason_of(Bytes{}) == "a game has at least 69 bytes, here are 0");
    CHECK(reason_of({start.begin(), start.end() - 1})
          == "a game has at least 69 bytes, here are 68");
}

TEST_CASE("first bytes that mean nothing are refused", "[chezz]") {
    const auto damage = GENERATE(values<Damage>({
        {{}, {{0, 2}}, "turn: byte 0 is 2, whose lower two bits are 2 and name no player"},
        {{}, {{0, 11}}, "turn: byte 0 is 11, whose lower two bits are 3 and name no player"},
        {{}, {{0, 16}}, "version: 2 is not known"},
        {{}, {{0, 248}}, "version: 31 is not known"},
        {{}, {{0, 4}}, "version: byte 0 is 4, as in an older layout with the board upside down"},
        {{}, {{1, 3}}, "player in check: 3 is more than 2"},
        {{}, {{2, 3}}, "end of the game: 3 is more than 2"},
        {{}, {{3, 16}}, "castling rights: 16 is more than 15"},
    }));
    CHECK(reason_after(damage) == damage.reason);
}

TEST_CASE("a board with what is no piece is refused", "[chezz]") {
    const auto value = GENERATE(7, 8, 15, 16, 23, 24, 31, 32, 33, 64, 129, 255);
    CHECK(reason_after({{}, {{on("e4"_sq), value}}, ""})
          == "board: e4 holds " + std::to_string(value) + ", which is no piece");
}

TEST_CASE("a player without exactly one king is refused", "[chezz]") {
    const auto damage = GENERATE(values<Damage>({
        {{}, {{on("e1"_sq), 0}}, "board: White has 0 kings"},
        {{}, {{on("e8"_sq), 13}}, "board: Black has 0 kings"},
        {{}, {{on("e4"_sq), 22}}, "board: White has 2 kings"},
        {{}, {{on("e4"_sq), 14}}, "board: Black has 2 kings"},
    }));
    CHECK(reason_after(damage) == damage.reason);
}

TEST_CASE("captured pieces that are none, or without an end, are refused", "[chezz]") {
    CHECK(reason_of(start_with({7, 0})) == "captured pieces: 7 is no piece");
    CHECK(reason_of(start_with({25, 33, 0})) == "captured pieces: 33 is no piece");
    CHECK(reason_of(start_with({1})) == "captured pieces: the list has no end");
}

TEST_CASE("moves that are not written as moves are refused", "[chezz]") {
    const auto refused = [](std::initializer_list<int> rest, const char* reason) {
        CHECK(reason_of(start_with(rest)) == reason);
    };
    refused({0, 64, 28}, "move 1: 64 is no square");
    refused({0, 255, 28}, "move 1: 255 is no square");
    refused({0, 12, 64}, "move 1: 64 is no square");
    refused({0, 12, 28, 52, 128 + 100, 1}, "move 2: 100 is no square");
    refused({0, 12}, "move 1: is cut off");
    refused({0, 12, 28, 52}, "move 2: is cut off");
    refused({0, 12, 128 + 28}, "move 1: is cut off before its tag");
    refused({0, 12, 128 + 28, 0}, "move 1: 0 is no tag");
    refused({0, 12, 128 + 28, 6}, "move 1: 6 is no tag");
}

TEST_CASE("moves against the rules are refused", "[chezz]") {
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

TEST_CASE("special moves must be written as such", "[chezz]") {
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

TEST_CASE("what the moves do not lead to is refused", "[chezz]") {
    const std::vector<std::string> capture{"e2e4", "d7d5", "e4d5"};
    const auto damage = GENERATE_COPY(values<Damage>({
        {capture, {{0, 0}}, "turn and double step: not what the moves lead to"},
        {capture, {{0, 8}}, "turn and double step: not what the moves lead to", Form::server},
        {capture, {{0, 13}}, "turn and double step: not what the moves lead to", Form::server},
        {{"e2e4"}, {{0, 9}}, "turn and double step: not what the moves lead to", Form::server},
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

TEST_CASE("captured pieces more or fewer than the moves took are refused", "[chezz]") {
    auto bytes = tests::bytes_of(tests::chezz_game({"e2e4", "d7d5", "e4d5"}));
    bytes.insert(bytes.begin() + captured_at, 25);
    CHECK(reason_of(bytes) == "captured pieces: not what the moves lead to");
    bytes.erase(bytes.begin() + captured_at, bytes.begin() + captured_at + 2);
    CHECK(reason_of(bytes) == "captured pieces: not what the moves lead to");
}

TEST_CASE("a board upside down, as chezz once had it, is refused", "[chezz]") {
    auto bytes = tests::bytes_of(core::Game{});
    for (std::size_t i = 0; i < 32; ++i)
        std::swap(bytes[board_at + i], bytes[board_at + (i ^ 56)]);
    CHECK(reason_of(bytes) == "board: a1: not what the moves lead to");
}

TEST_CASE("the front end's form has no room for the server's mistake", "[chezz]") {
    const auto game = tests::chezz_game(
        {"a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "g8f6", "a6a7", "f6g8", "a7b8Q"});
    auto bytes = tests::bytes_of(game, Form::flawed_server);
    REQUIRE(decode(bytes));
    CHECK(decode(bytes)->form == Form::flawed_server);
    bytes[turn_at] = 1;
    CHECK(reason_of(bytes) == "captured pieces: not what the moves lead to");
}
