#include "core/chess960.hpp"

#include <array>
#include <cassert>
#include <utility>

namespace core {

namespace {

using BackRank = std::array<std::optional<PieceType>, 8>;

/// The empty file with this number of empty files to its left.
std::size_t empty_file(const BackRank& rank, int number) {
    std::size_t file = 0;
    for (;; ++file) {
        if (!rank[file] && number-- == 0)
            return file;
    }
}

/// The two knights' places among the five files left empty by the bishops and the queen.
constexpr std::array<std::pair<int, int>, 10> knights{
    {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};

BackRank back_rank(int number) {
    BackRank rank{};
    rank[static_cast<std::size_t>(number % 4 * 2 + 1)] = PieceType::bishop;
    rank[static_cast<std::size_t>(number / 4 % 4 * 2)] = PieceType::bishop;
    rank[empty_file(rank, number / 16 % 6)] = PieceType::queen;
    const auto [first, second] = knights[static_cast<std::size_t>(number / 96)];
    const auto first_file = empty_file(rank, first);
    const auto second_file = empty_file(rank, second);
    rank[first_file] = rank[second_file] = PieceType::knight;
    for (const PieceType type : {PieceType::rook, PieceType::king, PieceType::rook})
        rank[empty_file(rank, 0)] = type;
    return rank;
}

void set_up(Setup& setup, Color color, int number) {
    const BackRank rank = back_rank(number);
    for (int file = 0; file < 8; ++file) {
        const auto type = *rank[static_cast<std::size_t>(file)];
        const Square square = Square::at(file, 0).relative_square(color);
        setup.board[index_of(square)] = Piece{color, type};
        setup.board[index_of(Square::at(file, 1).relative_square(color))] =
            Piece{color, PieceType::pawn};
        if (type == PieceType::rook)
            setup.castling_rooks |= Bitboard{square};
    }
}

}  // namespace

Position chess960_start(int white, int black) {
    assert(white >= 0 && white < chess960_count && black >= 0 && black < chess960_count);
    Setup setup;
    set_up(setup, Color::white, white);
    set_up(setup, Color::black, black);
    return *Position::from(setup);
}

}  // namespace core
