#include "engine/search/history.hpp"

#include <memory>

#include "tests/engine/random_positions.hpp"

using namespace engine;
using core::operator""_sq;
using parameters::history_limit;

namespace {

constexpr core::Bitboard nowhere;

}  // namespace

TEST_CASE("a history value never leaves its bounds", "[history]") {
    tests::Dice dice{15};
    HistoryValue value;
    for (int i = 0; i < 100'000; ++i) {
        value.learn(dice.between(-2 * history_limit, 2 * history_limit));
        REQUIRE(std::abs(value.value()) <= history_limit);
    }
    for (const int bonus : {1, 2, 3, 99, 1'700, history_limit}) {
        CAPTURE(bonus);
        for (const int sign : {1, -1}) {
            for (int i = 0; i < 2'000; ++i)
                value.learn(sign * bonus);
            CHECK(std::abs(value.value()) <= history_limit);
        }
    }
}

TEST_CASE("a history value moves towards each bonus, the less the nearer it is", "[history]") {
    const auto bonus = GENERATE(1, 80, 1'000, 1'700, history_limit);
    const auto sign = GENERATE(1, -1);
    CAPTURE(bonus, sign);
    HistoryValue value;
    int last_step = 2 * history_limit;
    while (std::abs(value.value()) < history_limit && last_step > 1) {
        const int before = value.value();
        value.learn(sign * bonus);
        const int step = sign * (value.value() - before);
        REQUIRE(step > 0);
        // Rounding may add one.
        REQUIRE(step <= last_step + 1);
        last_step = step;
    }
    CHECK(sign * value.value() > 0);
}

TEST_CASE("a bonus and the same malus do not add up", "[history]") {
    HistoryValue value;
    for (int i = 0; i < 10'000; ++i) {
        value.learn(1'700);
        value.learn(-1'700);
    }
    CHECK(std::abs(value.value()) < 1'700);
}

TEST_CASE("a bonus of nothing teaches nothing", "[history]") {
    HistoryValue value;
    value.learn(500);
    value.learn(0);
    CHECK(value.value() == 500);
}

TEST_CASE("a cutoff teaches more the deeper it is, up to a limit", "[history]") {
    for (int depth = 0; depth < 60; ++depth)
        CHECK(history_bonus(depth + 1) >= history_bonus(depth));
    CHECK(history_bonus(1) > 0);
    CHECK(history_bonus(200) == parameters::history_bonus_most);
}

TEST_CASE("a cutoff at no depth does not teach that the move is bad", "[history]") {
    CHECK(history_bonus(0) >= 0);
}

TEST_CASE("histories that are cleared know nothing", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto& position = core::Position::start();
    const auto move = core::Move::normal("e2"_sq, "e4"_sq);
    histories->of_quiet(core::Color::white, move, nowhere).learn(500);
    histories->of_noisy(position, move).learn(500);
    histories->no_continuation()[5].learn(500);
    histories->continuation[17][3].learn(500);
    histories->clear();
    CHECK(histories->of_quiet(core::Color::white, move, nowhere).value() == 0);
    CHECK(histories->of_noisy(position, move).value() == 0);
    CHECK(histories->no_continuation()[5].value() == 0);
    CHECK(histories->continuation[17][3].value() == 0);
}

TEST_CASE("each move has a history of its own", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto position =
        tests::position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    int number = 0;
    for (const core::Move move : core::legal_moves(position, core::MoveKinds::quiet))
        histories->of_quiet(core::Color::white, move, nowhere).learn(++number);
    number = 0;
    for (const core::Move move : core::legal_moves(position, core::MoveKinds::quiet)) {
        CHECK(histories->of_quiet(core::Color::white, move, nowhere).value() == ++number);
        CHECK(histories->of_quiet(core::Color::black, move, nowhere).value() == 0);
    }
}

TEST_CASE("a move has another history where it comes from danger or goes into it", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto move = core::Move::normal("e2"_sq, "e4"_sq);
    const core::Bitboard from{"e2"_sq};
    const core::Bitboard to{"e4"_sq};
    const std::array dangers{nowhere, from, to, from | to};
    int number = 0;
    for (const auto danger : dangers)
        histories->of_quiet(core::Color::white, move, danger).learn(++number);
    number = 0;
    for (const auto danger : dangers) {
        const auto elsewhere = danger | core::Bitboard{"a5"_sq};
        CHECK(histories->of_quiet(core::Color::white, move, elsewhere).value() == ++number);
    }
}
