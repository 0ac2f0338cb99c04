#include "engine/search/move_picker.hpp"

#include <algorithm>
#include <memory>

#include "core/perft.hpp"

#include "engine/search/see.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using namespace engine::search;
using core::Move;
using core::Position;
using tests::Dice;

namespace {

using Wanted = MovePicker::Wanted;

/// What a picker is made from.
struct Inputs {
    const Histories& histories;
    HistoryContext context;
    std::optional<Move> tt_move;

    MovePicker picker(Wanted wanted) const { return {histories, context, tt_move, wanted}; }
};

Inputs plain_inputs(const Position& position, Histories& histories) {
    Inputs inputs{histories, HistoryContext{position}, std::nullopt};
    inputs.context.continuations.fill(&histories.no_continuation());
    return inputs;
}

/// Random scores for the moves of many positions.
std::unique_ptr<Histories> random_histories(Dice& dice) {
    auto histories = std::make_unique<Histories>();
    const auto bonus = [&] {
        return dice.between(-parameters::history_limit, parameters::history_limit);
    };
    for (const auto& position : tests::random_positions(500, 6)) {
        const auto inputs = plain_inputs(position, *histories);
        for (const Move move : core::legal_moves(position)) {
            if (position.is_noisy(move))
                histories->update_capture(position, move, bonus());
            else
                histories->update_quiet(inputs.context, move, bonus());
        }
    }
    return histories;
}

/// Any 16 bits, a legal move, or none.
std::optional<Move> random_move(const Position& position, Dice& dice) {
    const auto legal = core::legal_moves(position);
    if (dice.one_in(4))
        return std::nullopt;
    if (legal.empty() || dice.one_in(3))
        return Move::from_bits(static_cast<std::uint16_t>(dice.roll(65'536)));
    return dice.pick(legal);
}

/// Inputs as a search may come to have them: the TT may say anything.
Inputs random_inputs(const Position& position, Histories& histories, Dice& dice) {
    auto inputs = plain_inputs(position, histories);
    inputs.tt_move = random_move(position, dice);
    for (auto& continuation : inputs.context.continuations) {
        const core::Square to{static_cast<int>(dice.roll(core::Square::count))};
        const auto piece = core::Piece::read(std::string_view{"PNBRQKpnbrqk"}[dice.roll(12)]);
        continuation = &histories.continuation(*piece, to);
    }
    return inputs;
}

std::vector<Move> all_from(MovePicker& picker) {
    std::vector<Move> moves;
    while (const auto move = picker.next())
        moves.push_back(*move);
    return moves;
}

std::vector<Move> all_from(MovePicker&& picker) {
    return all_from(picker);
}

std::vector<std::uint16_t> sorted(const std::vector<Move>& moves) {
    std::vector<std::uint16_t> bits;
    for (const Move move : moves)
        bits.push_back(move.bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

std::vector<Move> legal(const Position& position, core::MoveKinds kinds = core::MoveKinds::all) {
    const auto moves = core::legal_moves(position, kinds);
    return {moves.begin(), moves.end()};
}

std::uint64_t picked_perft(const Position& position, int depth, Histories& histories, Dice& dice) {
    if (depth == 0)
        return 1;
    std::uint64_t leaves = 0;
    const auto inputs = random_inputs(position, histories, dice);
    auto picker = inputs.picker(Wanted::all);
    while (const auto move = picker.next())
        leaves += picked_perft(position.after(*move), depth - 1, histories, dice);
    return leaves;
}

}  // namespace

TEST_CASE("a picker gives every legal move exactly once", "[move_picker]") {
    Dice dice{7};
    const auto histories = random_histories(dice);
    for (const auto& position : tests::random_positions(3'000, 2)) {
        const auto inputs = random_inputs(position, *histories, dice);
        if (sorted(all_from(inputs.picker(Wanted::all))) != sorted(legal(position))) {
            CAPTURE(core::fen(position));
            FAIL_CHECK("moves are missing, doubled or illegal");
        }
    }
}

TEST_CASE("a picker that has given all its moves gives no more", "[move_picker]") {
    Dice dice{8};
    const auto histories = std::make_unique<Histories>();
    const auto wanted = GENERATE(Wanted::all, Wanted::noisy);
    const auto inputs = plain_inputs(Position::start(), *histories);
    auto picker = inputs.picker(wanted);
    all_from(picker);
    CHECK_FALSE(picker.next());
    CHECK_FALSE(picker.next());
}

TEST_CASE("a picker of noisy moves gives the TT move and good captures", "[move_picker]") {
    Dice dice{9};
    const auto histories = random_histories(dice);
    for (const auto& position : tests::random_positions(3'000, 3)) {
        const auto inputs = random_inputs(position, *histories, dice);
        std::vector<Move> expected;
        for (const Move move : legal(position, core::MoveKinds::noisy)) {
            const bool under = move.is_promotion() && move.promoted_to() != core::PieceType::queen;
            if (move == inputs.tt_move || (!under && see_ge(position, move, 0)))
                expected.push_back(move);
        }
        if (sorted(all_from(inputs.picker(Wanted::noisy))) != sorted(expected)) {
            CAPTURE(core::fen(position));
            FAIL_CHECK("not the noisy moves that win");
        }
    }
}

TEST_CASE("the TT move comes first if it is legal", "[move_picker]") {
    const auto histories = std::make_unique<Histories>();
    for (const auto& position : tests::random_positions(200, 4)) {
        for (const Move move : legal(position)) {
            auto inputs = plain_inputs(position, *histories);
            inputs.tt_move = move;
            auto picker = inputs.picker(Wanted::all);
            if (picker.next() != move) {
                CAPTURE(core::fen(position), core::san(position, move));
                FAIL_CHECK("another move came first");
            }
        }
    }
}

TEST_CASE("good captures come before quiets, bad captures last", "[move_picker]") {
    const auto position =
        tests::position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    const auto histories = std::make_unique<Histories>();
    auto inputs = plain_inputs(position, *histories);
    const auto move = [&](const char* text) { return tests::move_of(position, text); };
    inputs.tt_move = move("a2a4");
    histories->update_quiet(inputs.context, move("g2g3"), 16'000);
    histories->update_quiet(inputs.context, move("b2b3"), -16'000);

    const auto moves = all_from(inputs.picker(Wanted::all));
    const auto stage = [&](Move given) {
        if (given == inputs.tt_move)
            return 0;
        if (position.is_noisy(given))
            return see_ge(position, given, 0) ? 1 : 3;
        return 2;
    };
    CHECK(std::is_sorted(moves.begin(), moves.end(),
                         [&](Move a, Move b) { return stage(a) < stage(b); }));
    const auto quiet =
        std::find_if(moves.begin(), moves.end(), [&](Move given) { return stage(given) == 2; });
    CHECK(*quiet == move("g2g3"));
    const auto loss =
        std::find_if(moves.begin(), moves.end(), [&](Move given) { return stage(given) == 3; });
    CHECK(*(loss - 1) == move("b2b3"));
}

TEST_CASE("the most valuable victim is offered first", "[move_picker]") {
    const auto position = tests::position_of("4k3/8/8/1q1r1n2/2P1P3/8/8/4K3 w - - 0 1");
    const auto histories = std::make_unique<Histories>();
    const auto moves = all_from(plain_inputs(position, *histories).picker(Wanted::noisy));
    REQUIRE(moves.size() == 4);
    CHECK(core::san(position, moves[0]) == "cxb5");
    CHECK(core::san(position, moves[1]).ends_with("xd5"));
    CHECK(core::san(position, moves[2]).ends_with("xd5"));
    CHECK(core::san(position, moves[3]) == "exf5");
}

TEST_CASE("after skip_quiets() all noisy moves come, and no others", "[move_picker]") {
    Dice dice{10};
    const auto histories = random_histories(dice);
    for (const auto& position : tests::random_positions(3'000, 5)) {
        const auto inputs = random_inputs(position, *histories, dice);
        auto picker = inputs.picker(Wanted::all);
        std::vector<Move> noisy;
        std::size_t before_skipping = dice.roll(12);
        bool late_quiet = false;
        bool skipping = false;
        while (const auto move = picker.next()) {
            if (position.is_noisy(*move))
                noisy.push_back(*move);
            else
                late_quiet = late_quiet || skipping;
            if (before_skipping-- == 0) {
                picker.skip_quiets();
                skipping = true;
            }
        }
        if (late_quiet || sorted(noisy) != sorted(legal(position, core::MoveKinds::noisy))) {
            CAPTURE(core::fen(position), late_quiet);
            FAIL_CHECK("skipping quiet moves went wrong");
        }
    }
}

TEST_CASE("an illegal TT move is never given", "[move_picker]") {
    const auto histories = std::make_unique<Histories>();
    const auto position = tests::position_of("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 2");
    for (unsigned bits = 0; bits < 65'536; ++bits) {
        const auto move = Move::from_bits(static_cast<std::uint16_t>(bits));
        auto inputs = plain_inputs(position, *histories);
        inputs.tt_move = move;
        auto picker = inputs.picker(Wanted::all);
        const auto moves = all_from(picker);
        if (sorted(moves) != sorted(legal(position))) {
            CAPTURE(bits);
            FAIL_CHECK("an illegal move came out");
        }
    }
}

TEST_CASE("perft through a picker equals perft", "[move_picker]") {
    const auto [fen, depth] = GENERATE(table<const char*, int>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3},
        {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3},
        {"5rkr/8/8/8/8/8/8/RR1K1R1R w FBhf - 0 1", 3},
        {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3},
    }));
    CAPTURE(fen, depth);
    Dice dice{11};
    const auto histories = random_histories(dice);
    const auto position = tests::position_of(fen);
    CHECK(picked_perft(position, depth, *histories, dice) == core::perft(position, depth));
}
