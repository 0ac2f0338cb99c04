#include "engine/datagen/game_record.hpp"

#include "core/chess960.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using namespace engine::datagen;

namespace {

/// A game of random moves with random scores.
GameRecord random_game(tests::Dice& dice) {
    GameRecord game;
    if (dice.one_in(2))
        game.start = core::chess960_start(dice.between(0, 959), dice.between(0, 959));
    else
        game.start =
            tests::position_of(tests::varied_positions[dice.roll(tests::varied_positions.size())]);
    core::Position position = game.start;
    const int length = dice.between(0, 120);
    for (int ply = 0; ply < length; ++ply) {
        const auto moves = core::legal_moves(position);
        if (moves.empty())
            break;
        game.moves.push_back({dice.pick(moves), dice.between(-3'000, 3'000)});
        position = position.after(game.moves.back().move);
    }
    if (dice.one_in(3))
        game.result.reset();
    else
        game.result = static_cast<GameResult>(dice.roll(3));
    return game;
}

std::string bytes_of(std::initializer_list<int> numbers) {
    return {numbers.begin(), numbers.end()};
}

GameRecord game_of(std::string_view fen, const std::vector<std::string>& moves) {
    GameRecord game;
    game.start = tests::position_of(fen);
    core::Position position = game.start;
    for (const auto& text : moves) {
        game.moves.push_back({tests::move_of(position, text), 5});
        position = position.after(game.moves.back().move);
    }
    return game;
}

}  // namespace

TEST_CASE("games come back from their bytes as they were", "[datagen]") {
    tests::Dice dice{960};
    std::vector<GameRecord> games;
    std::string bytes;
    for (int i = 0; i < 200; ++i) {
        games.push_back(random_game(dice));
        bytes += write_game(games.back());
    }
    GameReader reader{bytes};
    for (const auto& game : games) {
        const auto read = reader.next();
        REQUIRE(read);
        CHECK(*read == game);
    }
    CHECK(reader.at_end());
}

TEST_CASE("a game is 32 bytes, four for each ply and four more", "[datagen]") {
    const auto game = game_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 300", {"e1g1", "e8d8", "a1a8"});
    CHECK(write_game(game).size() == 32 + 4 * 3 + 4);
}

TEST_CASE("the bytes of a game are those of viriformat", "[datagen]") {
    auto game = game_of("4k2r/6P1/8/3pP3/8/8/8/4K2R w Kk d6 3 258", {"e5d6", "e8d7", "g7h8=N"});
    game.result = GameResult::white_won;
    game.moves[1].score = -300;
    game.moves[2].score = mate_in(5);
    const std::string expected =
        // e1 h1 d5 e5 g7 e8 h8
        bytes_of({0x90, 0, 0, 0, 0x18, 0, 0x40, 0x90})
        // K and a rook that may castle; p and P; P and k; the rook that may castle
        + bytes_of({0x65, 0x08, 0xD0, 0x0E, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
        // d6, White to move; 3 half moves; move 258; no score; White won; nothing
        + bytes_of({43, 3, 2, 1, 0, 0, 2, 0})
        // e5 (36) takes d6 (43) en passant (1): 36 | 43 << 6 | 1 << 14
        + bytes_of({0xE4, 0x4A, 5, 0})
        // e8 (60) to d7 (51), -300
        + bytes_of({0xFC, 0x0C, 0xD4, 0xFE})
        // g7 (54) takes h8 (63) and becomes a knight (0, kind 3); a mate is 32000
        + bytes_of({0xF6, 0xCF, 0x00, 0x7D}) + bytes_of({0, 0, 0, 0});
    CHECK(write_game(game) == expected);
}

TEST_CASE("a sideline is a drawn game with a mark", "[datagen]") {
    auto game = game_of("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1c1"});
    const auto drawn = write_game(game);
    game.result.reset();
    const auto sideline = write_game(game);
    CHECK(sideline[31] == 1);
    CHECK(sideline.substr(0, 31) + '\0' + sideline.substr(32) == drawn);
}

TEST_CASE("castling is written as the king's move to the rook", "[datagen]") {
    const auto bytes = write_game(game_of("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1c1"}));
    // e1 (4) to a1 (0), kind 2
    CHECK(bytes.substr(32, 2) == bytes_of({0x04, 0x80}));
}

TEST_CASE("games cut off anywhere are refused, those before them are kept", "[datagen]") {
    const auto whole = write_game(game_of("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1c1", "e8e7"}));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        const std::string bytes = whole + whole.substr(0, length);
        GameReader reader{bytes};
        REQUIRE(reader.next());
        CHECK(reader.at_end() == (length == 0));
        CHECK_FALSE(reader.next());
        CHECK(reader.offset() == whole.size());
    }
}

TEST_CASE("bytes that are no game of chess are refused with a reason", "[datagen]") {
    const auto good = write_game(game_of("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1c1", "e8e7"}));
    auto bytes = good;
    SECTION("an illegal move") {
        bytes[32] = 5;
    }
    SECTION("a result that does not exist") {
        bytes[30] = 3;
    }
    SECTION("a piece that does not exist") {
        bytes[8] = 7;
    }
    SECTION("a position without kings") {
        bytes[4] = bytes[7] = 0;
    }
    SECTION("a score beyond a mate") {
        bytes[34] = 1;
        bytes[35] = 0x7D;
    }
    SECTION("a score below a mate") {
        bytes[34] = 0;
        bytes[35] = '\x80';
    }
    SECTION("too many pieces") {
        bytes.replace(0, 8, 8, '\xFF');
    }
    GameReader reader{bytes};
    const auto game = reader.next();
    REQUIRE_FALSE(game);
    CHECK_FALSE(game.reason().empty());
    CHECK(reader.offset() == 0);
}

TEST_CASE("flipped bits never break the reader", "[datagen]") {
    tests::Dice dice{8};
    for (int i = 0; i < 3'000; ++i) {
        auto bytes = write_game(random_game(dice));
        for (std::size_t flips = dice.roll(4) + 1; flips > 0; --flips)
            bytes[dice.roll(bytes.size())] ^= static_cast<char>(1 << dice.roll(8));
        GameReader reader{bytes};
        const auto game = reader.next();
        CHECK((game ? reader.offset() : bytes.size()) <= bytes.size());
    }
}

TEST_CASE("positions that teach nothing are not used for training", "[datagen]") {
    const auto is_training = [](std::string_view fen, std::string_view move, Score score = 20) {
        const auto position = tests::position_of(fen);
        return is_training_position(position, {tests::move_of(position, move), score});
    };
    CHECK(is_training("4k3/pp6/8/8/8/8/4P3/4K3 w - - 0 9", "e2e4"));
    CHECK(is_training("4k3/pp6/8/8/8/8/4P3/4K3 b - - 0 9", "e8e7"));
    CHECK_FALSE(is_training("4k3/pp6/8/8/8/8/4P3/4K3 w - - 0 8", "e2e4"));    // too early
    CHECK_FALSE(is_training("4k3/pp6/8/8/8/3p4/4P3/4K3 w - - 0 9", "e2d3"));  // a capture
    CHECK_FALSE(is_training("8/pp2P3/8/8/8/8/8/k3K3 w - - 0 9", "e7e8q"));    // a promotion
    CHECK_FALSE(is_training("4k3/pp6/8/8/8/8/3p4/4K3 w - - 0 9", "e1e2"));    // in check
    CHECK_FALSE(is_training("4k3/pp6/8/8/8/8/4P3/4K3 w - - 0 9", "e2e4", mate_in(9)));  // a mate
    CHECK_FALSE(is_training("4k3/pp6/8/8/8/8/4P3/4K3 w - - 0 9", "e2e4", -2'000));  // a known win
    CHECK_FALSE(is_training("4k3/p7/8/8/8/8/4P3/4K3 w - - 0 9", "e2e4"));           // four pieces
}
