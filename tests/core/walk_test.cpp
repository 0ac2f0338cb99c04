#include <optional>
#include <string>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/position.hpp"

#include "tests/core/positions.hpp"

using namespace core;
using tests::position_of;

namespace {

/// Describes a property that does not hold at a node; nothing if all hold.
using Fault = std::optional<std::string>;

using Board = std::array<std::optional<Piece>, 64>;

Board board_of(const Position& position) {
    Board board;
    for (std::size_t i = 0; i < board.size(); ++i)
        board[i] = position.piece_on(Square{static_cast<int>(i)});
    return board;
}

/// The board after applying a move's dirty pieces; nothing if they do not fit the board.
std::optional<Board> board_after(Board board, const DirtyPieces& effect) {
    for (const auto& [piece, square] : effect.removed_pieces()) {
        auto& place = board[static_cast<std::size_t>(square.index())];
        if (place != piece)
            return std::nullopt;
        place.reset();
    }
    for (const auto& [piece, square] : effect.added_pieces()) {
        auto& place = board[static_cast<std::size_t>(square.index())];
        if (place)
            return std::nullopt;
        place = piece;
    }
    return board;
}

Fault fault_of_position(const Position& position) {
    if (position.key() != position.compute_key())
        return "the key has drifted";
    if (position.part_keys() != position.compute_part_keys())
        return "a key of some pieces has drifted";
    const auto copy = read_fen(fen(position));
    if (!copy)
        return "its own FEN is refused: " + copy.reason();
    if (!(*copy == position))
        return "its FEN describes " + fen(*copy);
    return std::nullopt;
}

Fault fault_of_text(const Position& position, Move move, const std::string& text) {
    const auto copy = read_move(position, text);
    if (!copy)
        return text + " is refused: " + copy.reason();
    if (*copy != move)
        return text + " is read as " + to_uci(*copy, CastlingStyle::king_takes_rook);
    return std::nullopt;
}

Fault fault_of_move(const Position& position, Move move, const Position& next) {
    if (!is_legal(position, move))
        return "a listed move is not legal";
    if (board_after(board_of(position), position.dirty_pieces(move)) != board_of(next))
        return "the dirty pieces of a move do not lead to the next board";
    for (const auto style : {CastlingStyle::king_moves_two, CastlingStyle::king_takes_rook}) {
        if (auto fault = fault_of_text(position, move, to_uci(move, style)))
            return fault;
    }
    return fault_of_text(position, move, san(position, move));
}

/// The first fault in the tree of legal moves, with the FEN of its node.
Fault walk(const Position& position, int depth) {
    if (auto fault = fault_of_position(position))
        return fen(position) + ": " + *fault;
    if (depth == 0)
        return std::nullopt;
    for (const Move move : legal_moves(position)) {
        const auto next = position.after(move);
        if (auto fault = fault_of_move(position, move, next))
            return fen(position) + ": " + to_uci(move, CastlingStyle::king_takes_rook) + ": "
                 + *fault;
        if (auto fault = walk(next, depth - 1))
            return fault;
    }
    return std::nullopt;
}

}  // namespace

TEST_CASE("positions, moves and notation agree in the tree of moves", "[walk]") {
    const auto [fen, depth] = GENERATE(table<std::string, int>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3},
        {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3},
        // Chess960.
        {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3},
        {"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", 3},
        {"rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1", 3},
        {"5rkr/8/8/8/8/8/8/RR1K1R1R w FBhf - 0 1", 3},
    }));
    CAPTURE(fen);
    CHECK(walk(position_of(fen), depth).value_or("") == "");
}

TEST_CASE("positions, moves and notation agree in varied positions", "[walk]") {
    for (const auto* text : tests::varied_positions)
        CHECK(walk(position_of(text), 2).value_or("") == "");
}
