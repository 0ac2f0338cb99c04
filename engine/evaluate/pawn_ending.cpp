#include "engine/evaluate/pawn_ending.hpp"

#include <bitset>
#include <vector>

#include "core/attacks.hpp"

namespace engine {

namespace {

using core::Bitboard;
using core::Color;
using core::Square;

constexpr int last_rank = 7;
/// A pawn stands on the files a to d (the others are their mirror images) and the ranks 2 to 7.
constexpr std::size_t pawn_squares = 24;
constexpr std::size_t count = 2 * pawn_squares * 64 * 64;

std::size_t index_of(const PawnEnding& ending) {
    const auto pawn = static_cast<std::size_t>(ending.pawn.file() + 4 * (ending.pawn.rank() - 1));
    return ((pawn * 64 + core::index_of(ending.king)) * 64 + core::index_of(ending.lone_king)) * 2
         + (ending.pawn_to_move ? 1 : 0);
}

/// All positions, each won or not; those that cannot be count as not won.
class Solution {
public:
    Solution();
    bool is_won(const PawnEnding& ending) const { return won_[index_of(ending)]; }

private:
    bool solve_more(std::vector<PawnEnding>& unsolved);
    bool can_push(const PawnEnding& ending) const;
    bool can_win(const PawnEnding& ending) const;
    bool must_lose(const PawnEnding& ending) const;

    std::bitset<count> won_;
};

bool is_possible(const PawnEnding& ending) {
    const Bitboard around = core::king_attacks(ending.king) | Bitboard{ending.king};
    return !around.contains(ending.lone_king) && ending.king != ending.pawn
        && ending.lone_king != ending.pawn
        && !(ending.pawn_to_move
             && core::pawn_attacks(Color::white, ending.pawn).contains(ending.lone_king));
}

std::vector<PawnEnding> positions_with_pawn_on(Square pawn) {
    std::vector<PawnEnding> positions;
    for (int king = 0; king < Square::count; ++king) {
        for (int lone_king = 0; lone_king < Square::count; ++lone_king) {
            for (const bool pawn_to_move : {true, false}) {
                const PawnEnding ending{Square{king}, pawn, Square{lone_king}, pawn_to_move};
                if (is_possible(ending))
                    positions.push_back(ending);
            }
        }
    }
    return positions;
}

/// A pawn only walks forwards, so what it can reach is solved before the square it stands on.
Solution::Solution() {
    for (int rank = last_rank - 1; rank >= 1; --rank) {
        for (int file = 0; file < 4; ++file) {
            auto unsolved = positions_with_pawn_on(Square::at(file, rank));
            while (solve_more(unsolved)) {
            }
        }
    }
}

/// One look at each position: whether more of them turned out to be won. Those need no other.
bool Solution::solve_more(std::vector<PawnEnding>& unsolved) {
    const auto found = std::erase_if(unsolved, [this](const PawnEnding& ending) {
        const bool won = ending.pawn_to_move ? can_win(ending) : must_lose(ending);
        if (won)
            won_.set(index_of(ending));
        return won;
    });
    return found > 0;
}

/// Whether one step, or two, make a queen that cannot be taken (a rook, if a queen gave
/// stalemate), or lead to a position that is won.
bool Solution::can_push(const PawnEnding& ending) const {
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

/// Whether a move leads to a position that is won.
bool Solution::can_win(const PawnEnding& ending) const {
    if (can_push(ending))
        return true;
    for (const Square square : core::king_attacks(ending.king)) {
        if (is_won({square, ending.pawn, ending.lone_king, false}))
            return true;
    }
    return false;
}

/// Whether there are moves, and all of them lose.
bool Solution::must_lose(const PawnEnding& ending) const {
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

Square mirrored(Square square) {
    return Square::at(7 - square.file(), square.rank());
}

}  // namespace

bool is_won(const PawnEnding& ending) {
    static const Solution solution;
    if (ending.pawn.file() < 4)
        return solution.is_won(ending);
    return solution.is_won({mirrored(ending.king), mirrored(ending.pawn),
                            mirrored(ending.lone_king), ending.pawn_to_move});
}

}  // namespace engine
