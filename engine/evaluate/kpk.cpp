#include "engine/evaluate/kpk.hpp"

#include <bitset>
#include <vector>

#include "core/attacks.hpp"

namespace engine::evaluate {

namespace {

using core::Bitboard;
using core::Color;
using core::Square;

constexpr int last_rank = 7;
/// The files a to d (the others are mirror images) and the ranks 2 to 7.
constexpr std::size_t pawn_squares = 24;
constexpr std::size_t count = 2 * pawn_squares * 64 * 64;

std::size_t index_of(const KpkPosition& ending) {
    const auto pawn = static_cast<std::size_t>(ending.pawn.file() + 4 * (ending.pawn.rank() - 1));
    return ((pawn * 64 + core::index_of(ending.king)) * 64 + core::index_of(ending.lone_king)) * 2
         + (ending.pawn_to_move ? 1 : 0);
}

/// Whether each position is won. Illegal ones count as not won.
class KpkTable {
public:
    KpkTable();
    bool is_won(const KpkPosition& ending) const { return won_[index_of(ending)]; }

private:
    bool solve_more(std::vector<KpkPosition>& unsolved);
    bool can_push(const KpkPosition& ending) const;
    bool can_win(const KpkPosition& ending) const;
    bool must_lose(const KpkPosition& ending) const;

    std::bitset<count> won_;
};

bool is_possible(const KpkPosition& ending) {
    const Bitboard around = core::king_attacks(ending.king) | Bitboard{ending.king};
    return !around.contains(ending.lone_king) && ending.king != ending.pawn
        && ending.lone_king != ending.pawn
        && !(ending.pawn_to_move
             && core::pawn_attacks(Color::white, ending.pawn).contains(ending.lone_king));
}

std::vector<KpkPosition> positions_with_pawn_on(Square pawn) {
    std::vector<KpkPosition> positions;
    for (int king = 0; king < Square::count; ++king) {
        for (int lone_king = 0; lone_king < Square::count; ++lone_king) {
            for (const bool pawn_to_move : {true, false}) {
                const KpkPosition ending{Square{king}, pawn, Square{lone_king}, pawn_to_move};
                if (is_possible(ending))
                    positions.push_back(ending);
            }
        }
    }
    return positions;
}

/// A pawn only moves forwards, so the ranks are solved from the last to the first.
KpkTable::KpkTable() {
    for (int rank = last_rank - 1; rank >= 1; --rank) {
        for (int file = 0; file < 4; ++file) {
            auto unsolved = positions_with_pawn_on(Square::at(file, rank));
            while (solve_more(unsolved)) {
            }
        }
    }
}

/// One pass over the unsolved positions. Removes those that are won; false if there were none.
bool KpkTable::solve_more(std::vector<KpkPosition>& unsolved) {
    const auto found = std::erase_if(unsolved, [this](const KpkPosition& ending) {
        const bool won = ending.pawn_to_move ? can_win(ending) : must_lose(ending);
        if (won)
            won_.set(index_of(ending));
        return won;
    });
    return found > 0;
}

/// Whether a pawn move promotes to a queen that cannot be captured (or to a rook, where a queen
/// would stalemate) or leads to a won position.
bool KpkTable::can_push(const KpkPosition& ending) const {
    const auto is_free = [&](Square square) {
        return square != ending.king && square != ending.lone_king;
    };
    const auto ahead_by = [&](int steps) {
        return Square::at(ending.pawn.file(), ending.pawn.rank() + steps);
    };
    if (!is_free(ahead_by(1)))
        return false;
    if (ahead_by(1).rank() == last_rank)
        return !core::king_attacks(ending.lone_king).contains(ahead_by(1))
            || core::king_attacks(ending.king).contains(ahead_by(1));
    return is_won({ending.king, ahead_by(1), ending.lone_king, false})
        || (ending.pawn.rank() == 1 && is_free(ahead_by(2))
            && is_won({ending.king, ahead_by(2), ending.lone_king, false}));
}

/// Whether any move leads to a won position.
bool KpkTable::can_win(const KpkPosition& ending) const {
    if (can_push(ending))
        return true;
    for (const Square square : core::king_attacks(ending.king)) {
        if (is_won({square, ending.pawn, ending.lone_king, false}))
            return true;
    }
    return false;
}

/// Whether there are moves, and all of them lose.
bool KpkTable::must_lose(const KpkPosition& ending) const {
    const Bitboard guarded = core::king_attacks(ending.king);
    const Bitboard safe = core::king_attacks(ending.lone_king)
                        & ~(guarded | core::pawn_attacks(Color::white, ending.pawn));
    if (safe.empty() || safe.contains(ending.pawn))
        return false;
    for (const Square square : safe) {
        if (!is_won({ending.king, ending.pawn, square, true}))
            return false;
    }
    return true;
}

const KpkTable& kpk_table() {
    static const KpkTable table;
    return table;
}

Square mirrored(Square square) {
    return Square::at(7 - square.file(), square.rank());
}

}  // namespace

void build_kpk_table() {
    static_cast<void>(kpk_table());
}

bool kpk_is_won(const KpkPosition& ending) {
    const KpkTable& table = kpk_table();
    if (ending.pawn.file() < 4)
        return table.is_won(ending);
    return table.is_won({mirrored(ending.king), mirrored(ending.pawn), mirrored(ending.lone_king),
                         ending.pawn_to_move});
}

}  // namespace engine::evaluate
