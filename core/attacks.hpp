#pragma once

#include <array>

#include "core/bitboard.hpp"
#include "core/piece.hpp"

namespace core {

namespace detail {

/// The lines through a square that sliders use, without the square itself.
struct Lines {
    Bitboard rank;
    Bitboard file;
    Bitboard diagonal;
    Bitboard antidiagonal;
};

/// Tables of 26 KB that stay in the first-level cache. A line's occupied squares are gathered
/// into six neighbouring bits by one multiplication (the two squares at the edge do not
/// matter), and those select what a slider sees: "kindergarten bitboards", see
/// https://www.chessprogramming.org/Kindergarten_Bitboards.
struct AttackTables {
    std::array<Lines, 64> lines;
    /// For the file of the slider and the occupancy of files b to g: the files seen.
    std::array<std::array<Bitboard, 64>, 8> by_file;
    /// For the rank of the slider and the occupancy of ranks 2 to 7: the squares of file a seen.
    std::array<std::array<Bitboard, 64>, 8> by_rank;
    std::array<Bitboard, 64> knight;
    std::array<Bitboard, 64> king;
    std::array<std::array<Bitboard, 64>, 2> pawn;
};

inline constexpr std::uint64_t gather_files = 0x0202020202020202ULL;  // file b
inline constexpr std::uint64_t gather_ranks = 0x0080402010080400ULL;  // the diagonal c2 to h7

constexpr std::size_t file_index(Square square) {
    return static_cast<std::size_t>(square.file());
}
constexpr std::size_t rank_index(Square square) {
    return static_cast<std::size_t>(square.rank());
}

extern const AttackTables attack_tables;
extern const std::array<std::array<Bitboard, 64>, 64> between_table;

/// What a slider sees along a line that crosses every file at most once.
inline Bitboard seen_across(Square square, Bitboard line, Bitboard occupied) {
    const auto index = ((line & occupied).bits() * gather_files) >> 58;
    return line & attack_tables.by_file[file_index(square)][index];
}

inline Bitboard seen_along_file(Square square, Bitboard occupied) {
    const auto file_a = (occupied.bits() >> square.file()) & Bitboard::file(0).bits();
    const auto index = (file_a * gather_ranks) >> 58;
    return Bitboard{attack_tables.by_rank[rank_index(square)][index].bits() << square.file()};
}

}  // namespace detail

inline Bitboard knight_attacks(Square square) {
    return detail::attack_tables.knight[index_of(square)];
}

inline Bitboard king_attacks(Square square) {
    return detail::attack_tables.king[index_of(square)];
}

/// The squares that a pawn of this colour on this square attacks.
inline Bitboard pawn_attacks(Color color, Square square) {
    return detail::attack_tables.pawn[index_of(color)][index_of(square)];
}

/// The squares that a whole set of pawns attacks.
template <Color color>
constexpr Bitboard pawn_attacks(Bitboard pawns) {
    if constexpr (color == Color::white)
        return shifted<Direction::north_east>(pawns) | shifted<Direction::north_west>(pawns);
    else
        return shifted<Direction::south_east>(pawns) | shifted<Direction::south_west>(pawns);
}

inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
    const auto& lines = detail::attack_tables.lines[index_of(square)];
    return detail::seen_across(square, lines.diagonal, occupied)
         | detail::seen_across(square, lines.antidiagonal, occupied);
}

inline Bitboard rook_attacks(Square square, Bitboard occupied) {
    const auto& lines = detail::attack_tables.lines[index_of(square)];
    return detail::seen_across(square, lines.rank, occupied)
         | detail::seen_along_file(square, occupied);
}

inline Bitboard queen_attacks(Square square, Bitboard occupied) {
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}

/// What a knight, bishop, rook, queen or king attacks from a square.
inline Bitboard piece_attacks(PieceType type, Square square, Bitboard occupied) {
    switch (type) {
        case PieceType::knight: return knight_attacks(square);
        case PieceType::bishop: return bishop_attacks(square, occupied);
        case PieceType::rook: return rook_attacks(square, occupied);
        case PieceType::queen: return queen_attacks(square, occupied);
        default: return king_attacks(square);
    }
}

/// The rays of a bishop, and of a rook, on an empty board.
inline Bitboard bishop_rays(Square square) {
    const auto& lines = detail::attack_tables.lines[index_of(square)];
    return lines.diagonal | lines.antidiagonal;
}

inline Bitboard rook_rays(Square square) {
    const auto& lines = detail::attack_tables.lines[index_of(square)];
    return lines.rank | lines.file;
}

/// The squares strictly between two squares of one line; empty for any other two.
inline Bitboard between(Square a, Square b) {
    return detail::between_table[index_of(a)][index_of(b)];
}

}  // namespace core
