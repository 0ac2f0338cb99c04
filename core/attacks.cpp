#include "core/attacks.hpp"

namespace core {

namespace {

constexpr Bitboard square_at(int file, int rank) {
    if (file < 0 || file > 7 || rank < 0 || rank > 7)
        return Bitboard{};
    return Bitboard{Square::at(file, rank)};
}

/// The squares from `from` in one direction, up to the edge or the first occupied square, included.
constexpr Bitboard ray(Square from, int file_step, int rank_step, Bitboard occupied) {
    Bitboard squares;
    int file = from.file() + file_step;
    int rank = from.rank() + rank_step;
    while (const auto square = square_at(file, rank)) {
        squares |= square;
        if (square & occupied)
            break;
        file += file_step;
        rank += rank_step;
    }
    return squares;
}

constexpr Bitboard line(Square from, int file_step, int rank_step, Bitboard occupied = {}) {
    return ray(from, file_step, rank_step, occupied) | ray(from, -file_step, -rank_step, occupied);
}

/// The squares of b1 to g1 whose bit is set: bit 0 is b1.
constexpr Bitboard inner_files(std::size_t bits) {
    return Bitboard{static_cast<std::uint64_t>(bits) << 1};
}

/// The squares of a2 to a7 whose bit is set: bit 0 is a2.
constexpr Bitboard inner_ranks(std::size_t bits) {
    Bitboard squares;
    for (int i = 0; i < 6; ++i) {
        if (((bits >> i) & 1) != 0)
            squares |= square_at(0, i + 1);
    }
    return squares;
}

constexpr void fill_slider_tables(detail::AttackTables& tables) {
    for (std::size_t bits = 0; bits < 64; ++bits) {
        for (int i = 0; i < 8; ++i) {
            const auto files = line(Square::at(i, 0), 1, 0, inner_files(bits)).bits();
            tables.by_file[static_cast<std::size_t>(i)][bits] =
                Bitboard{files * Bitboard::file(0).bits()};
            const auto occupied = inner_ranks(bits);
            const auto index = (occupied.bits() * detail::gather_ranks) >> 58;
            tables.by_rank[static_cast<std::size_t>(i)][index] =
                line(Square::at(0, i), 0, 1, occupied);
        }
    }
}

constexpr void fill_step_tables(detail::AttackTables& tables, Square square) {
    const auto index = index_of(square);
    const int file = square.file();
    const int rank = square.rank();
    for (int step = -2; step <= 2; ++step) {
        if (step == 0)
            continue;
        const int other = step == 2 || step == -2 ? 1 : 2;
        tables.knight[index] |= square_at(file + step, rank + other);
        tables.knight[index] |= square_at(file + step, rank - other);
    }
    for (int side = -1; side <= 1; ++side) {
        tables.king[index] |= square_at(file + side, rank - 1) | square_at(file + side, rank + 1);
        if (side != 0) {
            tables.king[index] |= square_at(file + side, rank);
            tables.pawn[0][index] |= square_at(file + side, rank + 1);
            tables.pawn[1][index] |= square_at(file + side, rank - 1);
        }
    }
}

constexpr detail::AttackTables make_attack_tables() {
    detail::AttackTables tables{};
    fill_slider_tables(tables);
    for (int i = 0; i < Square::count; ++i) {
        const Square square{i};
        fill_step_tables(tables, square);
        tables.lines[index_of(square)] = {line(square, 1, 0), line(square, 0, 1),
                                          line(square, 1, 1), line(square, 1, -1)};
    }
    return tables;
}

constexpr auto make_between_table() {
    constexpr std::array<std::array<int, 2>, 8> steps{
        {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}};
    std::array<std::array<Bitboard, 64>, 64> table{};
    for (int i = 0; i < Square::count; ++i) {
        for (const auto& [file_step, rank_step] : steps) {
            Bitboard passed;
            const Square from{i};
            for (const Square to : ray(from, file_step, rank_step, {})) {
                passed = ray(from, file_step, rank_step, Bitboard{to}) ^ Bitboard { to };
                table[index_of(from)][index_of(to)] = passed;
            }
        }
    }
    return table;
}

}  // namespace

namespace detail {
constexpr AttackTables attack_tables = make_attack_tables();
constexpr std::array<std::array<Bitboard, 64>, 64> between_table = make_between_table();
}  // namespace detail

}  // namespace core
