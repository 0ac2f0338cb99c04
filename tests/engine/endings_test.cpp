#include "engine/evaluate/endings.hpp"

#include "engine/evaluate/pawn_ending.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using core::Color;
using core::PieceType;
using core::Position;
using core::Square;

namespace {

constexpr Score by_network = 400;

/// What becomes of so many centipawns for White.
Score of(const char* fen, Score for_white = by_network) {
    const auto position = tests::position_of(fen);
    const int sign = position.side_to_move() == Color::white ? 1 : -1;
    return sign * with_endings(position, sign * for_white);
}

/// White has the pawn.
std::optional<Position> position_of(const PawnEnding& ending) {
    core::Setup setup;
    setup.board[core::index_of(ending.king)] = core::Piece{Color::white, PieceType::king};
    setup.board[core::index_of(ending.lone_king)] = core::Piece{Color::black, PieceType::king};
    setup.board[core::index_of(ending.pawn)] = core::Piece{Color::white, PieceType::pawn};
    setup.side_to_move = ending.pawn_to_move ? Color::white : Color::black;
    const auto position = Position::from(setup);
    if (!position || position->pieces().count() != 3)
        return std::nullopt;
    return *position;
}

/// Whether a position after a move is won for White: as the solution says, or because there is a
/// queen or a rook that Black cannot take.
bool is_won_for_white(const Position& position) {
    const auto pawns = position.pieces(PieceType::pawn);
    if (!pawns.empty())
        return is_won({position.king(Color::white), pawns.first(), position.king(Color::black),
                       position.side_to_move() == Color::white});
    const auto moves = core::legal_moves(position);
    const bool taken = std::any_of(moves.begin(), moves.end(),
                                   [&](core::Move move) { return position.is_capture(move); });
    return !position.pieces(PieceType::rook, PieceType::queen).empty() && !taken
        && (position.in_check() || !moves.empty());
}

/// Whether the solution of a position agrees with those of the positions that its moves lead to.
bool agrees_with_its_moves(const PawnEnding& ending, const Position& position) {
    const auto moves = core::legal_moves(position);
    const auto wins = [&](core::Move move) { return is_won_for_white(position.after(move)); };
    const bool won = ending.pawn_to_move
                       ? std::any_of(moves.begin(), moves.end(), wins)
                       : !moves.empty() && std::all_of(moves.begin(), moves.end(), wins);
    return is_won(ending) == won;
}

}  // namespace

TEST_CASE("king and pawn against king is solved by the rules", "[endings]") {
    // Every seventh position, of which there are some hundred thousand legal ones.
    int seen = 0;
    for (int i = 0; i < 2 * 48 * 64 * 64; i += 7) {
        const PawnEnding ending{Square{i / 2 % 64}, Square{8 + i / 2 / 64 / 64},
                                Square{i / 2 / 64 % 64}, i % 2 == 0};
        const auto position = position_of(ending);
        if (!position)
            continue;
        ++seen;
        if (agrees_with_its_moves(ending, *position))
            continue;
        CAPTURE(core::fen(*position), is_won(ending));
        FAIL_CHECK("the solution contradicts itself");
    }
    CHECK(seen > 40'000);
}

TEST_CASE("pawn endings of the textbook", "[endings]") {
    const auto [fen, won] = GENERATE(table<const char*, bool>({
        {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true},
        {"4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true},
        {"4k3/8/4P3/4K3/8/8/8/8 w - - 0 1", false},
        {"8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false},
        {"8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true},
        {"8/8/8/8/1k6/8/P7/K7 w - - 0 1", false},
        {"8/8/8/8/7k/8/P7/K7 w - - 0 1", true},
        {"8/8/8/7k/8/8/P7/7K b - - 0 1", true},
        {"8/8/8/8/4k3/8/P7/7K b - - 0 1", false},
        {"1k6/1P6/K7/8/8/8/8/8 b - - 0 1", true},
        {"k7/P7/K7/8/8/8/8/8 b - - 0 1", false},
        {"8/8/8/8/4p3/8/4k3/K7 w - - 0 1", true},
    }));
    CAPTURE(fen);
    const auto position = tests::position_of(fen);
    const Color strong =
        position.pieces(Color::white, PieceType::pawn).empty() ? Color::black : Color::white;
    const Score score =
        strong == position.side_to_move() ? with_endings(position, 0) : -with_endings(position, 0);
    if (won)
        CHECK(score > certain_win);
    else
        CHECK(score == draw);
}

TEST_CASE("draws are known whatever the network says", "[endings]") {
    const auto fen = GENERATE(
        // Two knights; minor pieces alone against pawns cannot win.
        "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", "4k3/8/8/8/8/8/8/3NKN2 b - - 0 1",
        "4k3/2pp4/8/8/8/8/8/4KB2 w - - 0 1",
        // The bishop does not reach the corner that the pawns go to.
        "7k/8/8/7P/7P/8/4B3/4K3 w - - 0 1", "k7/8/1K6/P7/8/8/3B4/8 b - - 0 1",
        "6k1/8/8/7P/7P/8/8/4K3 w - - 0 1");
    CAPTURE(fen);
    CHECK(of(fen) == draw);
}

TEST_CASE("what wins is not taken for a draw", "[endings]") {
    const auto fen = GENERATE(
        // The bishop reaches the corner; the king does not; a pawn is on another file.
        "7k/8/8/7P/7P/8/3B4/4K3 w - - 0 1", "8/8/8/k6P/7P/8/4B3/4K3 w - - 0 1",
        "7k/8/8/6PP/8/8/4B3/4K3 w - - 0 1", "7k/8/8/7P/8/8/4N3/4K3 w - - 0 1",
        // Enough is left to mate.
        "4k3/4r3/8/8/8/8/8/3QK3 w - - 0 1", "1b2k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    CAPTURE(fen);
    CHECK(of(fen) >= by_network);
}

TEST_CASE("what is hard to win counts for less", "[endings]") {
    const auto [fen, least, most] = GENERATE(table<const char*, Score, Score>({
        // Rook against bishop, against knight; rook and bishop against rook.
        {"3bk3/8/8/8/8/8/8/3RK3 w - - 0 1", 0, by_network / 8},
        {"3nk3/8/8/8/8/8/8/3RK3 b - - 0 1", 0, by_network / 8},
        {"3rk3/8/8/8/8/8/8/2BRK3 w - - 0 1", 1, by_network / 4},
        // Bishops that never meet, and those that do.
        {"4kb2/4p3/8/8/8/8/3PP3/4KB2 w - - 0 1", 1, by_network - 1},
        {"2b1k3/4p3/8/8/8/8/3PP3/4KB2 w - - 0 1", by_network, by_network},
        // With knights there is play for a win.
        {"1n2kb2/4p3/8/8/8/8/3PP3/1N2KB2 w - - 0 1", by_network, by_network},
    }));
    CAPTURE(fen);
    CHECK(of(fen) >= least);
    CHECK(of(fen) <= most);
}

TEST_CASE("a lone king is driven to where it is mated", "[endings]") {
    const auto [worse, better] = GENERATE(table<const char*, const char*>({
        {"8/8/8/4k3/8/8/8/1Q5K w - - 0 1", "4k3/8/8/8/8/8/8/1Q5K w - - 0 1"},
        {"4k3/8/8/8/8/8/8/R6K w - - 0 1", "4k3/8/4K3/8/8/8/8/R7 w - - 0 1"},
        // The bishop's own corners.
        {"k7/8/2K5/2B1N3/8/8/8/8 w - - 0 1", "7k/8/5K2/2B1N3/8/8/8/8 w - - 0 1"},
        {"7k/8/5K2/3B1N2/8/8/8/8 w - - 0 1", "k7/8/2K5/3B1N2/8/8/8/8 w - - 0 1"},
        // A queen is kept.
        {"4k3/8/4K3/8/8/8/8/R7 w - - 0 1", "8/8/8/3k4/8/8/8/1Q5K w - - 0 1"},
    }));
    CAPTURE(worse, better);
    CHECK(of(worse) > certain_win);
    CHECK(of(worse) < of(better));
    CHECK_FALSE(is_decisive(of(better)));
}

TEST_CASE("the other player's knight does not make a corner of a colour better", "[endings]") {
    CHECK(of("7k/8/5K2/2B1R3/8/8/8/n7 w - - 0 1") == of("k7/8/2K5/2B1R3/8/8/8/n7 w - - 0 1"));
}

TEST_CASE("where nothing is known the network is believed", "[endings]") {
    for (const auto& position : tests::random_positions(500, 41)) {
        if (position.pieces().count() < 12)
            continue;
        const bool pawns = !position.pieces(Color::white, PieceType::pawn).empty()
                        && !position.pieces(Color::black, PieceType::pawn).empty();
        if (pawns && !position.pieces(PieceType::queen).empty())
            CHECK(with_endings(position, 123) == 123);
    }
}
