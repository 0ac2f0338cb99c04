#include "engine/search/history.hpp"

#include <memory>
#include <string>

#include "tests/engine/random_positions.hpp"

using namespace engine;
using namespace engine::search;
using core::operator""_sq;
using parameters::history_limit;

namespace {

/// Without earlier moves.
HistoryContext context_of(const core::Position& position,
                          Histories& histories,
                          const Threats& threats = {}) {
    HistoryContext context{position, threats};
    context.continuations.fill(&histories.no_continuation());
    return context;
}

/// White's queen alone on a board with two kings, on one of the squares from a2 to h8.
core::Position with_queen_on(int square) {
    std::string board;
    for (int rank = 7; rank >= 1; --rank) {
        const int file = square - 8 * rank;
        if (file < 0 || file > 7)
            board += "8/";
        else
            board += (file > 0 ? std::to_string(file) : "") + "Q"
                   + (file < 7 ? std::to_string(7 - file) : "") + "/";
    }
    return tests::position_of((board + "K6k b - - 0 1").c_str());
}

}  // namespace

TEST_CASE("a history value never leaves its bounds", "[history]") {
    tests::Dice dice{15};
    HistoryValue value;
    for (int i = 0; i < 100'000; ++i) {
        value.update(dice.between(-2 * history_limit, 2 * history_limit));
        REQUIRE(std::abs(value.value()) <= history_limit);
    }
    for (const int bonus : {1, 2, 3, 99, 1'700, history_limit}) {
        CAPTURE(bonus);
        for (const int sign : {1, -1}) {
            for (int i = 0; i < 2'000; ++i)
                value.update(sign * bonus);
            CHECK(std::abs(value.value()) <= history_limit);
        }
    }
}

TEST_CASE("a history value moves towards each bonus, by less the nearer it is", "[history]") {
    const auto bonus = GENERATE(1, 80, 1'000, 1'700, history_limit);
    const auto sign = GENERATE(1, -1);
    CAPTURE(bonus, sign);
    HistoryValue value;
    int last_step = 2 * history_limit;
    while (std::abs(value.value()) < history_limit && last_step > 1) {
        const int before = value.value();
        value.update(sign * bonus);
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
        value.update(1'700);
        value.update(-1'700);
    }
    CHECK(std::abs(value.value()) < 1'700);
}

TEST_CASE("a bonus of zero changes nothing", "[history]") {
    HistoryValue value;
    value.update(500);
    value.update(0);
    CHECK(value.value() == 500);
}

TEST_CASE("the history bonus grows with depth up to a limit", "[history]") {
    for (int depth = 0; depth < 60; ++depth)
        CHECK(history_bonus(depth + 1) >= history_bonus(depth));
    CHECK(history_bonus(1) > 0);
    CHECK(history_bonus(200) == parameters::history_bonus_max);
}

TEST_CASE("the history bonus is never negative", "[history]") {
    CHECK(history_bonus(0) >= 0);
}

TEST_CASE("cleared histories are zero", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto& position = core::Position::start();
    const auto context = context_of(position, *histories);
    const auto move = core::Move::normal("e2"_sq, "e4"_sq);
    histories->update_quiet(context, move, 500);
    histories->update_capture(position, move, 500);
    histories->update_correction(position, 8, 500);
    CHECK(histories->quiet_score(context, move) > 0);
    CHECK(histories->capture_score(position, move) > 0);
    CHECK(histories->correction(position) > 0);
    histories->clear();
    CHECK(histories->quiet_score(context, move) == 0);
    CHECK(histories->capture_score(position, move) == 0);
    CHECK(histories->correction(position) == 0);
}

TEST_CASE("near the root each ply has a history of its own, for one search", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto& position = core::Position::start();
    const auto move = core::Move::normal("e2"_sq, "e4"_sq);
    auto context = context_of(position, *histories);
    const auto score_at = [&](int ply) {
        context.ply = ply;
        return histories->quiet_score(context, move);
    };
    context.ply = low_plies;
    histories->update_quiet(context, move, 500);
    const int everywhere = score_at(low_plies);
    CHECK(everywhere > 0);
    for (int ply = 0; ply < low_plies; ++ply)
        CHECK(score_at(ply) == everywhere);

    context.ply = 1;
    histories->update_quiet(context, move, 500);
    const int later = score_at(low_plies);
    CHECK(later > everywhere);
    CHECK(score_at(0) == later);
    CHECK(score_at(1) > later);
    CHECK(score_at(2) == later);

    histories->begin_search();
    CHECK(score_at(1) == later);
}

TEST_CASE("each quiet move has its own score", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto position =
        tests::position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    // Each of the three continuations is another row.
    auto context = context_of(position, *histories);
    const auto knight = *core::Piece::read('n');
    context.continuations = {&histories->continuation(knight, "a1"_sq),
                             &histories->continuation(knight, "a2"_sq),
                             &histories->continuation(knight, "a3"_sq)};
    int bonus = 0;
    for (const core::Move move : core::legal_moves(position, core::MoveKinds::quiet))
        histories->update_quiet(context, move, ++bonus);
    bonus = 0;
    constexpr int hundredths = 100 + parameters::continuation_weight_1
                             + parameters::continuation_weight_2
                             + parameters::continuation_weight_4;
    for (const core::Move move : core::legal_moves(position, core::MoveKinds::quiet))
        CHECK(histories->quiet_score(context, move) == hundredths * ++bonus / 100);
}

TEST_CASE("the continuation history depends on the moves before", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto& position = core::Position::start();
    const auto move = core::Move::normal("e2"_sq, "e4"_sq);
    auto context = context_of(position, *histories);
    const std::array rows{&histories->no_continuation(),
                          &histories->continuation(*core::Piece::read('p'), "e5"_sq),
                          &histories->continuation(*core::Piece::read('P'), "e5"_sq),
                          &histories->continuation(*core::Piece::read('p'), "d5"_sq)};
    for (auto* const row : rows) {
        context.continuations.fill(row);
        CHECK(histories->quiet_score(context, move) == 0);
        histories->update_continuation(context, move, 100);
        CHECK(histories->quiet_score(context, move) > 0);
    }
}

TEST_CASE("each ply of the continuation history counts with its own weight", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto& position = core::Position::start();
    const auto move = core::Move::normal("e2"_sq, "e4"_sq);
    const auto knight = *core::Piece::read('n');
    auto* const learnt = &histories->continuation(knight, "a1"_sq);
    auto context = context_of(position, *histories);
    context.continuations = {learnt, &histories->continuation(knight, "a2"_sq),
                             &histories->continuation(knight, "a3"_sq)};
    histories->update_continuation(context, move, 1'000);
    constexpr std::array weights{parameters::continuation_weight_1,
                                 parameters::continuation_weight_2,
                                 parameters::continuation_weight_4};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        context.continuations.fill(&histories->continuation(knight, "h8"_sq));
        context.continuations[i] = learnt;
        CHECK(histories->quiet_score(context, move) == 10 * weights[i]);
    }
}

TEST_CASE("a quiet move has another score where its squares are threatened", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto position = core::Position::start();
    const auto move = core::Move::normal("e2"_sq, "e4"_sq);
    const auto context_with = [&](core::Bitboard threatened) {
        Threats threats;
        threats.by_any = threatened;
        return context_of(position, *histories, threats);
    };
    const core::Bitboard from{"e2"_sq};
    const core::Bitboard to{"e4"_sq};
    // Butterfly scores alone: each context has its own continuation rows.
    const auto row = [&](int number) {
        return &histories->continuation(*core::Piece::read('q'), core::Square{number});
    };
    const std::array threats{core::Bitboard{}, from, to, from | to};
    int number = 0;
    for (const auto threat : threats) {
        auto context = context_with(threat);
        context.continuations.fill(row(number));
        histories->update_quiet(context, move, ++number);
    }
    number = 0;
    for (const auto threat : threats) {
        auto context = context_with(threat | core::Bitboard{"a5"_sq});
        context.continuations.fill(row(9));
        CHECK(histories->quiet_score(context, move) == ++number);
    }
}

TEST_CASE("a capture's score depends on the captured piece", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto rook = tests::position_of("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1");
    const auto queen = tests::position_of("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    const auto move = core::Move::normal("e4"_sq, "d5"_sq);
    histories->update_capture(rook, move, 300);
    CHECK(histories->capture_score(rook, move) == 300);
    CHECK(histories->capture_score(queen, move) == 0);
}

TEST_CASE("the correction of a position follows the differences that searches found", "[history]") {
    const auto histories = std::make_unique<Histories>();
    const auto position = with_queen_on(20);
    CHECK(histories->correction(position) == 0);
    for (int i = 0; i < 20; ++i)
        histories->update_correction(position, 8, 100);
    CHECK(histories->correction(position) > 0);
    for (int i = 0; i < 60; ++i)
        histories->update_correction(position, 8, -100);
    CHECK(histories->correction(position) < 0);
}

TEST_CASE("the correction depends on where the pieces stand, on all parts of the board",
          "[history]") {
    for (int updated = 8; updated < core::Square::count; ++updated) {
        const auto histories = std::make_unique<Histories>();
        for (int i = 0; i < 20; ++i)
            histories->update_correction(with_queen_on(updated), 8, 100);
        for (int other = 8; other < core::Square::count; ++other) {
            CAPTURE(updated, other);
            if (other != updated)
                CHECK(histories->correction(with_queen_on(other))
                      < histories->correction(with_queen_on(updated)));
        }
    }
}
