#include "engine/evaluate/kpk.hpp"

#include <array>
#include <cassert>

#include "core/attacks.hpp"
#include "core/bitboard.hpp"

namespace engine::evaluate {

namespace {

using core::Bitboard;
using core::Color;
using core::Direction;
using core::Square;

constexpr int last_rank = 7;
/// The files a to d (the others are mirror images) and the ranks 2 to 7.
constexpr std::size_t pawn_squares = 24;

/// For each square of the pawn's king: squares of the lone king.
using KingSets = std::array<Bitboard, Square::count>;

/// The won positions with the pawn on one square.
struct PawnTable {
    KingSets pawn_to_move;
    KingSets lone_king_to_move;
};

using KpkTable = std::array<PawnTable, pawn_squares>;

std::size_t pawn_index(Square pawn) {
    assert(pawn.file() < 4 && pawn.rank() >= 1 && pawn.rank() < last_rank);
    const int index = pawn.file() + 4 * (pawn.rank() - 1);
    return static_cast<std::size_t>(index);
}

/// The squares that a king on one of these squares attacks.
Bitboard king_attacks_of(Bitboard kings) {
    const Bitboard row =
        kings | core::shift<Direction::east>(kings) | core::shift<Direction::west>(kings);
    return core::shift<Direction::north>(row) | core::shift<Direction::south>(row)
         | core::shift<Direction::east>(kings) | core::shift<Direction::west>(kings);
}

/// Where the lone king can stand without touching the other king or the pawn.
Bitboard apart_from(Square king, Square pawn) {
    return ~(core::king_attacks(king) | Bitboard{king} | Bitboard{pawn});
}

/// The same with the pawn to move, so that the lone king is not in check.
Bitboard apart_with_pawn_to_move(Square king, Square pawn) {
    return apart_from(king, pawn) & ~core::pawn_attacks(Color::white, pawn);
}

/// Where the lone king loses to a push of the pawn: to a promotion whose queen cannot be captured
/// (or to a rook, where a queen would stalemate), or to a won position.
Bitboard lost_to_push(const KpkTable& solved, Square king, Square pawn) {
    const Square ahead = Square::at(pawn.file(), pawn.rank() + 1);
    if (king == ahead)
        return Bitboard{};
    if (ahead.rank() == last_rank) {
        const bool is_guarded = core::king_attacks(king).contains(ahead);
        return ~Bitboard{ahead} & (is_guarded ? Bitboard::all() : ~core::king_attacks(ahead));
    }
    const auto after_push = [&](Square to) {
        return solved[pawn_index(to)].lone_king_to_move[core::index_of(king)];
    };
    Bitboard lost = after_push(ahead);
    if (pawn.rank() == 1) {
        const Square two_ahead = Square::at(pawn.file(), 3);
        if (king != two_ahead)
            lost |= after_push(two_ahead) & ~Bitboard{ahead};
    }
    return lost;
}

/// Where the lone king, to move, has moves, and all of them lose. It may capture the pawn: that is
/// never among the lost squares.
Bitboard lost_after_all_moves(Square king, Square pawn, Bitboard lost) {
    const Bitboard safe = ~(core::king_attacks(king) | core::pawn_attacks(Color::white, pawn));
    return apart_from(king, pawn) & king_attacks_of(safe) & ~king_attacks_of(safe & ~lost);
}

/// Finds more lost positions with the lone king to move; false if there are none.
bool solve_lone_king_to_move(PawnTable& table, Square pawn) {
    bool found = false;
    for (const Square king : ~Bitboard{pawn}) {
        const auto i = core::index_of(king);
        const Bitboard lost = lost_after_all_moves(king, pawn, table.pawn_to_move[i]);
        found = found || lost != table.lone_king_to_move[i];
        table.lone_king_to_move[i] = lost;
    }
    return found;
}

/// Adds the positions from which a move of the pawn's king leads to a won one.
void solve_pawn_to_move(PawnTable& table, Square pawn) {
    for (const Square king : ~Bitboard{pawn}) {
        Bitboard won;
        for (const Square to : core::king_attacks(king))
            won |= table.lone_king_to_move[core::index_of(to)];
        table.pawn_to_move[core::index_of(king)] |= won & apart_with_pawn_to_move(king, pawn);
    }
}

/// Retrograde analysis: from the promotions and pushes backwards until nothing more is found.
PawnTable solve(const KpkTable& solved, Square pawn) {
    PawnTable table;
    for (const Square king : ~Bitboard{pawn})
        table.pawn_to_move[core::index_of(king)] =
            apart_with_pawn_to_move(king, pawn) & lost_to_push(solved, king, pawn);
    while (solve_lone_king_to_move(table, pawn))
        solve_pawn_to_move(table, pawn);
    return table;
}

/// A pawn only moves forwards, so the ranks are solved from the last to the first.
KpkTable solve_all() {
    KpkTable table;
    for (int rank = last_rank - 1; rank >= 1; --rank) {
        for (int file = 0; file < 4; ++file) {
            const Square pawn = Square::at(file, rank);
            table[pawn_index(pawn)] = solve(table, pawn);
        }
    }
    return table;
}

const KpkTable& kpk_table() {
    static const KpkTable table = solve_all();
    return table;
}

Square mirrored(Square square) {
    return Square::at(7 - square.file(), square.rank());
}

}  // namespace

bool kpk_is_won(const KpkPosition& ending) {
    if (ending.pawn.file() >= 4)
        return kpk_is_won({mirrored(ending.king), mirrored(ending.pawn), mirrored(ending.lone_king),
                           ending.pawn_to_move});
    const PawnTable& table = kpk_table()[pawn_index(ending.pawn)];
    const KingSets& won = ending.pawn_to_move ? table.pawn_to_move : table.lone_king_to_move;
    return won[core::index_of(ending.king)].contains(ending.lone_king);
}

}  // namespace engine::evaluate
