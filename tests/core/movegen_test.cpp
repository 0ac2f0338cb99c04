#include "core/movegen.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "tests/core/positions.hpp"

using namespace core;
using tests::position_of;

namespace {

std::set<std::uint16_t> bits_of(const MoveList& moves) {
    std::set<std::uint16_t> bits;
    for (const Move move : moves)
        bits.insert(move.bits());
    return bits;
}

/// The moves of all pieces or of one in coordinates, sorted, separated by spaces.
std::string texts_of(const Position& position, Bitboard from = Bitboard::all()) {
    std::vector<std::string> texts;
    for (const Move move : legal_moves(position)) {
        if (from.contains(move.from()))
            texts.push_back(to_uci(move, CastlingStyle::king_takes_rook));
    }
    std::sort(texts.begin(), texts.end());
    return tests::joined(texts);
}

bool can_castle(const Position& position, Side side) {
    for (const Move move : legal_moves(position)) {
        if (move.kind() == Move::Kind::castling && side_of_castling(move) == side)
            return true;
    }
    return false;
}

}  // namespace

TEST_CASE("noisy and quiet moves together are all moves, each once", "[movegen]") {
    for (const auto* text : tests::varied_positions) {
        CAPTURE(text);
        const auto position = position_of(text);
        const auto all = legal_moves(position);
        const auto noisy = legal_moves(position, MoveKinds::noisy);
        const auto quiet = legal_moves(position, MoveKinds::quiet);
        CHECK(bits_of(all).size() == all.size());
        CHECK(noisy.size() + quiet.size() == all.size());
        auto together = bits_of(noisy);
        together.merge(bits_of(quiet));
        CHECK(together == bits_of(all));
        CHECK(std::all_of(noisy.begin(), noisy.end(),
                          [&](Move move) { return position.is_noisy(move); }));
        CHECK(std::none_of(quiet.begin(), quiet.end(),
                           [&](Move move) { return position.is_noisy(move); }));
    }
}

TEST_CASE("moves are counted as they are listed", "[movegen]") {
    for (const auto* text : tests::varied_positions) {
        CAPTURE(text);
        const auto position = position_of(text);
        CHECK(count_legal_moves(position) == static_cast<int>(legal_moves(position).size()));
    }
}

TEST_CASE("is_legal agrees with the list for all 16-bit patterns", "[movegen]") {
    for (const auto* text : tests::varied_positions) {
        CAPTURE(text);
        const auto position = position_of(text);
        const auto listed = bits_of(legal_moves(position));
        for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
            const auto move = Move::from_bits(static_cast<std::uint16_t>(bits));
            if (is_legal(position, move) != (listed.count(move.bits()) == 1))
                FAIL(move.from().name() << move.to().name() << ", bits " << bits);
        }
    }
}

TEST_CASE("the most mobile position has 218 moves", "[movegen]") {
    const auto position = position_of("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    CHECK(legal_moves(position).size() == 218);
}

TEST_CASE("a pinned piece stays on its pin line", "[movegen]") {
    const auto [fen, piece, moves] = GENERATE(table<std::string, Square, std::string>({
        {"4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1", "e4"_sq, ""},
        {"4r1k1/8/8/8/4B3/8/8/4K3 w - - 0 1", "e4"_sq, ""},
        {"4r1k1/8/8/8/4R3/8/8/4K3 w - - 0 1", "e4"_sq, "e4e2 e4e3 e4e5 e4e6 e4e7 e4e8"},
        {"4r1k1/8/8/8/4Q3/8/8/4K3 w - - 0 1", "e4"_sq, "e4e2 e4e3 e4e5 e4e6 e4e7 e4e8"},
        {"k7/8/8/8/7b/6B1/8/4K3 w - - 0 1", "g3"_sq, "g3f2 g3h4"},
        {"k7/8/8/8/7b/6Q1/8/4K3 w - - 0 1", "g3"_sq, "g3f2 g3h4"},
        {"k7/8/8/8/7b/6R1/8/4K3 w - - 0 1", "g3"_sq, ""},
        {"4r1k1/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2"_sq, "e2e3 e2e4"},
        {"6k1/8/8/8/7b/6P1/8/4K3 w - - 0 1", "g3"_sq, "g3h4"},
        {"6k1/8/8/8/5p1b/6P1/8/4K3 w - - 0 1", "g3"_sq, "g3h4"},
        {"k7/8/8/8/K3P2r/8/8/8 w - - 0 1", "e4"_sq, ""},
        {"4b1k1/3P4/8/1K6/8/8/8/8 w - - 0 1", "d7"_sq, "d7e8b d7e8n d7e8q d7e8r"},
    }));
    CAPTURE(fen);
    CHECK(texts_of(position_of(fen), Bitboard{piece}) == moves);
}

TEST_CASE("a check is answered by a capture, a block or a king move", "[movegen]") {
    const auto [fen, moves] = GENERATE(table<std::string, std::string>({
        {"k7/8/8/8/7b/5N2/3PP1R1/3QK3 w - - 0 1", "e1f1 f3h4 g2f2 g2g3"},
        {"6k1/8/8/8/8/5n2/4P3/3QKB2 w - - 0 1", "e1f2 e2f3"},
        // Double check: only king moves.
        {"4r1k1/8/8/8/8/5n2/8/3QK2R w - - 0 1", "e1f1 e1f2"},
        // The king cannot move along the line of the check.
        {"6k1/8/8/8/r3K3/8/8/8 w - - 0 1", "e4d3 e4d5 e4e3 e4e5 e4f3 e4f5"},
        // A pinned piece cannot help.
        {"4r1k1/8/8/8/1b6/8/4N3/3QKB2 w - - 0 1", "d1d2 e1f2"},
        // En passant takes the pawn that checks; a promotion blocks.
        {"4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 2", "c4b3 c4b4 c4b5 c4c3 c4c5 c4d3 c4d4 c4d5 e5d6"},
        {"K6r/3P4/8/8/8/8/8/4k3 w - - 0 1", "a8a7 a8b7 d7d8b d7d8n d7d8q d7d8r"},
    }));
    CAPTURE(fen);
    CHECK(texts_of(position_of(fen)) == moves);
}

TEST_CASE("castling needs free squares and an unattacked king path", "[movegen]") {
    const auto [fen, king_side, queen_side] = GENERATE(table<std::string, bool, bool>({
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true},
        {"4k3/8/8/8/8/8/8/R3K2R w K - 0 1", true, false},
        {"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", false, false},
        {"4k3/8/8/8/8/8/8/R2QKB1R w KQ - 0 1", false, false},
        {"4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", false, false},
        {"4k3/8/8/8/8/8/8/Rn2K1nR w KQ - 0 1", false, false},
        // Attacks on the king's path count; attacks on the rook and its path do not.
        {"4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", false, false},
        {"4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, true},
        {"4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, true},
        {"4k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true},
        {"3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, false},
        {"2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, false},
        {"1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true},
        {"r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true},
        {"4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", false, true},
        {"4k3/8/8/8/8/8/1p6/R3K2R w KQ - 0 1", true, false},
        {"4k3/8/8/8/8/8/7n/R3K2R w KQ - 0 1", false, true},
        {"8/8/8/8/8/8/1k6/R3K2R w KQ - 0 1", true, false},
    }));
    CAPTURE(fen);
    CHECK(can_castle(position_of(fen), Side::king_side) == king_side);
    CHECK(can_castle(position_of(fen), Side::queen_side) == queen_side);
}

TEST_CASE("Chess960 castling follows the same rules", "[movegen]") {
    const auto [fen, king_side, queen_side] = GENERATE(table<std::string, bool, bool>({
        {"4k3/8/8/8/8/8/8/1K1R4 w D - 0 1", true, false},
        {"4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1", true, true},
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", true, false},
        {"4k3/8/8/8/8/8/8/5RK1 w F - 0 1", false, true},
        {"4k3/8/8/8/8/8/8/2KR4 w D - 0 1", true, false},
        // A piece stands on the king's or the rook's path.
        {"4k3/8/8/8/8/8/8/2KRN3 w D - 0 1", false, false},
        {"4k3/8/8/8/8/8/8/RK1N4 w A - 0 1", false, false},
        {"4k3/8/8/8/8/8/8/RN1K4 w A - 0 1", false, false},
        {"k7/8/8/8/8/8/8/1K2RN2 w E - 0 1", false, false},
        {"k7/8/8/8/8/8/8/1K2R1N1 w E - 0 1", false, false},
        {"k7/8/8/8/8/8/8/1K2R2N w E - 0 1", true, false},
        // A king that stays in place needs only its own square to be safe.
        {"3rk3/8/8/8/8/8/8/1RK5 w B - 0 1", false, true},
        {"2r1k3/8/8/8/8/8/8/1RK5 w B - 0 1", false, false},
        // A rook that shields its king along the rank is pinned.
        {"4k3/8/8/8/8/8/8/qRK4R w HB - 0 1", true, false},
        {"4k3/8/8/8/8/8/8/rR1K3R w HB - 0 1", true, false},
        {"4k3/8/8/8/8/8/8/R2K2Rq w GA - 0 1", false, true},
        {"4k3/8/8/8/8/8/8/bRK4R w HB - 0 1", true, true},
    }));
    CAPTURE(fen);
    CHECK(can_castle(position_of(fen), Side::king_side) == king_side);
    CHECK(can_castle(position_of(fen), Side::queen_side) == queen_side);
}

TEST_CASE("checkmate and stalemate have no legal moves", "[movegen]") {
    const auto fen = GENERATE("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                              "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1");
    CAPTURE(fen);
    CHECK(count_legal_moves(position_of(fen)) == 0);
    CHECK(legal_moves(position_of(fen)).empty());
}
