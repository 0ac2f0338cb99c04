#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using namespace uci::chezz::codec;

namespace {

constexpr std::array all_formats{StateFormat::front_end, StateFormat::server,
                                 StateFormat::server_with_capture_bug};

void check_round_trip(const core::Game& game) {
    for (const StateFormat form : all_formats) {
        const auto bytes = tests::bytes_of(game, form);
        const auto decoded = decode(bytes);
        CAPTURE(uci::util::hex(bytes));
        REQUIRE(decoded);
        CHECK(decoded->game.moves() == game.moves());
        CHECK(decoded->game.position() == game.position());
        CHECK(tests::bytes_of(decoded->game, decoded->format) == bytes);
    }
}

/// Counts rare moves and endings.
struct RareEvents {
    int castlings = 0;
    int en_passants = 0;
    int promotions = 0;
    int capturing_promotions = 0;
    int checkmates = 0;
    int stalemates = 0;

    void count(const core::Game& game) {
        core::Position position = game.start();
        for (const core::Move move : game.moves()) {
            castlings += move.kind() == core::Move::Kind::castling ? 1 : 0;
            en_passants += move.kind() == core::Move::Kind::en_passant ? 1 : 0;
            promotions += move.is_promotion() ? 1 : 0;
            capturing_promotions += move.is_promotion() && position.is_capture(move) ? 1 : 0;
            position = position.after(move);
        }
        checkmates += game.outcome() == core::Outcome::checkmate ? 1 : 0;
        stalemates += game.outcome() == core::Outcome::stalemate ? 1 : 0;
    }
};

/// Accepted bytes must be those of the decoded game.
bool is_rejected_or_exact(const Bytes& bytes) {
    const auto decoded = decode(bytes);
    return !decoded || tests::bytes_of(decoded->game, decoded->format) == bytes;
}

}  // namespace

TEST_CASE("random games survive a round trip", "[chezz]") {
    tests::Dice dice{64};
    RareEvents rare;
    for (int i = 0; i < 4'000; ++i) {
        const auto game = tests::random_chezz_game(dice, dice.between(0, 240));
        check_round_trip(game);
        rare.count(game);
    }
    CHECK(rare.castlings > 1'000);
    CHECK(rare.en_passants > 500);
    CHECK(rare.promotions > 1'000);
    CHECK(rare.capturing_promotions > 500);
    CHECK(rare.checkmates > 50);
    CHECK(rare.stalemates > 10);
}

TEST_CASE("golden games survive a round trip after every ply", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        const auto whole = tests::chezz_game(golden.moves);
        core::Game game;
        check_round_trip(game);
        for (const auto& move : whole.moves()) {
            game.play(move);
            if (game.moves().size() < 12 || game.moves().size() % 16 == 0)
                check_round_trip(game);
        }
    }
}

TEST_CASE("a long game survives a round trip", "[chezz]") {
    core::Game game;
    for (int i = 0; i < 40'000; ++i)
        game.play(
            tests::move_of(game.position(), std::array{"g1f3", "g8f6", "f3g1", "f6g8"}[i % 4]));
    const auto decoded = decode(tests::bytes_of(game));
    REQUIRE(decoded);
    CHECK(decoded->game.moves() == game.moves());
}

// A game truncated where a position repeats is another valid game.
TEST_CASE("truncated bytes are rejected or exact", "[chezz]") {
    int accepted = 0;
    for (const auto& golden : tests::golden_games()) {
        const auto bytes = tests::bytes_of(tests::chezz_game(golden.moves));
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const Bytes cut{bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
            CHECK(is_rejected_or_exact(cut));
            accepted += decode(cut) ? 1 : 0;
        }
    }
    CHECK(accepted <= 1);
}

// One bit distinguishes the server's format from the front end's.
TEST_CASE("a flipped bit is rejected, except the one of the format", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        if (golden.moves.size() > 20)
            continue;
        for (const StateFormat form : all_formats) {
            auto bytes = tests::bytes_of(tests::chezz_game(golden.moves), form);
            for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
                const auto flip = static_cast<std::uint8_t>(1 << bit % 8);
                bytes[bit / 8] ^= flip;
                CHECK((bit == version_shift ? is_rejected_or_exact(bytes) : !decode(bytes)));
                bytes[bit / 8] ^= flip;
            }
        }
    }
}

TEST_CASE("damaged bytes are rejected or exact", "[chezz]") {
    tests::Dice dice{8};
    const auto games = tests::golden_games();
    for (int i = 0; i < 20'000; ++i) {
        const auto& golden = games[dice.roll(games.size())];
        auto bytes = *uci::util::read_hex(
            golden.hex.at(dice.one_in(2) ? StateFormat::server : StateFormat::front_end));
        for (int damage = dice.between(1, 4); damage > 0; --damage) {
            const auto at = static_cast<std::ptrdiff_t>(dice.roll(bytes.size()));
            const auto byte = static_cast<std::uint8_t>(dice.roll(256));
            switch (dice.roll(3)) {
                case 0: bytes[static_cast<std::size_t>(at)] = byte; break;
                case 1: bytes.erase(bytes.begin() + at); break;
                default: bytes.insert(bytes.begin() + at, byte);
            }
        }
        CHECK(is_rejected_or_exact(bytes));
    }
}

TEST_CASE("random bytes are rejected", "[chezz]") {
    tests::Dice dice{9};
    for (int i = 0; i < 20'000; ++i) {
        Bytes bytes(dice.roll(200));
        for (auto& byte : bytes)
            byte = static_cast<std::uint8_t>(dice.roll(dice.one_in(2) ? 256 : 16));
        CHECK_FALSE(decode(bytes));
    }
}
