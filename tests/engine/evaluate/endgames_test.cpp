#include "engine/evaluate/endgames.hpp"

#include "engine/evaluate/kpk.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using namespace engine::evaluate;
using core::Color;
using core::PieceType;
using core::Position;
using core::Square;

namespace {

constexpr Score network_score = 400;

/// The corrected score for White of a network score for White.
Score of(const char* fen, Score for_white = network_score) {
    const auto position = tests::position_of(fen);
    const int sign = position.side_to_move() == Color::white ? 1 : -1;
    return sign * apply_endgame_rules(position, sign * for_white);
}

/// White has the pawn.
std::optional<Position> position_of(const KpkPosition& ending) {
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

/// Whether a position after a move is won for White: by the table, or because there is a queen or
/// a rook that Black cannot capture.
bool is_won_for_white(const Position& position) {
    const auto pawns = position.pieces(PieceType::pawn);
    if (!pawns.empty())
        return kpk_is_won({position.king(Color::white), pawns.lsb(), position.king(Color::black),
                           position.side_to_move() == Color::white});
    const auto moves = core::legal_moves(position);
    const bool taken = std::any_of(moves.begin(), moves.end(),
                                   [&](core::Move move) { return position.is_capture(move); });
    return !position.pieces(PieceType::rook, PieceType::queen).empty() && !taken
        && (position.in_check() || !moves.empty());
}

/// Whether the table's result of a position agrees with the results after its moves.
bool agrees_with_its_moves(const KpkPosition& ending, const Position& position) {
    const auto moves = core::legal_moves(position);
    const auto wins = [&](core::Move move) { return is_won_for_white(position.after(move)); };
    const bool won = ending.pawn_to_move
                       ? std::any_of(moves.begin(), moves.end(), wins)
                       : !moves.empty() && std::all_of(moves.begin(), moves.end(), wins);
    return kpk_is_won(ending) == won;
}

}  // namespace

TEST_CASE("the KPK table agrees with the rules of chess", "[endings]") {
    // Every seventh position, of which there are some hundred thousand legal ones.
    int seen = 0;
    for (int i = 0; i < 2 * 48 * 64 * 64; i += 7) {
        const KpkPosition ending{Square{i / 2 % 64}, Square{8 + i / 2 / 64 / 64},
                                 Square{i / 2 / 64 % 64}, i % 2 == 0};
        const auto position = position_of(ending);
        if (!position)
            continue;
        ++seen;
        if (agrees_with_its_moves(ending, *position))
            continue;
        CAPTURE(core::fen(*position), kpk_is_won(ending));
        FAIL_CHECK("the solution contradicts itself");
    }
    CHECK(seen > 40'000);
}

TEST_CASE("textbook KPK positions", "[endings]") {
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
    const Score score = strong == position.side_to_move()
                          ? apply_endgame_rules(position, 0)
                          : -evaluate::apply_endgame_rules(position, 0);
    if (won)
        CHECK(score > known_win);
    else
        CHECK(score == draw);
}

TEST_CASE("known draws do not depend on the network", "[endings]") {
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

TEST_CASE("won endgames are not scored as draws", "[endings]") {
    const auto fen = GENERATE(
        // The bishop reaches the corner; the king does not; a pawn is on another file.
        "7k/8/8/7P/7P/8/3B4/4K3 w - - 0 1", "8/8/8/k6P/7P/8/4B3/4K3 w - - 0 1",
        "7k/8/8/6PP/8/8/4B3/4K3 w - - 0 1", "7k/8/8/7P/8/8/4N3/4K3 w - - 0 1",
        // Enough is left to mate.
        "4k3/4r3/8/8/8/8/8/3QK3 w - - 0 1", "1b2k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    CAPTURE(fen);
    CHECK(of(fen) >= network_score);
}

TEST_CASE("advantages that are hard to win are scaled down", "[endings]") {
    const auto [fen, least, most] = GENERATE(table<const char*, Score, Score>({
        // Rook against bishop, against knight; rook and bishop against rook.
        {"3bk3/8/8/8/8/8/8/3RK3 w - - 0 1", 0, network_score / 8},
        {"3nk3/8/8/8/8/8/8/3RK3 b - - 0 1", 0, network_score / 8},
        {"3rk3/8/8/8/8/8/8/2BRK3 w - - 0 1", 1, network_score / 4},
        // Bishops that never meet, and those that do.
        {"4kb2/4p3/8/8/8/8/3PP3/4KB2 w - - 0 1", 1, network_score - 1},
        {"2b1k3/4p3/8/8/8/8/3PP3/4KB2 w - - 0 1", network_score, network_score},
        // With knights there is play for a win.
        {"1n2kb2/4p3/8/8/8/8/3PP3/1N2KB2 w - - 0 1", network_score, network_score},
    }));
    CAPTURE(fen);
    CHECK(of(fen) >= least);
    CHECK(of(fen) <= most);
}

TEST_CASE("a lone king is driven to where it can be mated", "[endings]") {
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
    CHECK(of(worse) > known_win);
    CHECK(of(worse) < of(better));
    CHECK_FALSE(is_decisive(of(better)));
}

TEST_CASE("a knight of the other side does not change the mating corner", "[endings]") {
    CHECK(of("7k/8/5K2/2B1R3/8/8/8/n7 w - - 0 1") == of("k7/8/2K5/2B1R3/8/8/8/n7 w - - 0 1"));
}

TEST_CASE("without a rule the network's score stays", "[endings]") {
    for (const auto& position : tests::random_positions(500, 41)) {
        if (position.pieces().count() < 12)
            continue;
        const bool pawns = !position.pieces(Color::white, PieceType::pawn).empty()
                        && !position.pieces(Color::black, PieceType::pawn).empty();
        if (pawns && !position.pieces(PieceType::queen).empty())
            CHECK(apply_endgame_rules(position, 123) == 123);
    }
}
