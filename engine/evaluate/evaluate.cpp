#include "engine/evaluate/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/evaluate/weights.hpp"

namespace engine {

namespace {

using core::Bitboard;
using core::Color;
using core::Direction;
using core::PieceType;
using core::Position;
using core::Square;

constexpr std::array moving_types{PieceType::knight, PieceType::bishop, PieceType::rook,
                                  PieceType::queen};

/// The whole of an endgame advantage, when it is scaled down.
constexpr int full_scale = 64;
/// A lead in pieces that wins without pawns.
constexpr int nearly_a_rook = 400;

constexpr Bitboard light_squares{0x55AA55AA55AA55AAULL};

constexpr std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

constexpr Bitboard files_beside(Bitboard set) {
    return core::shifted<Direction::east>(set) | core::shifted<Direction::west>(set);
}

/// Every square of the set and all before it, as the player looks at the board.
template <Color us>
constexpr Bitboard filled_forward(Bitboard set) {
    auto bits = set.bits();
    if constexpr (us == Color::white) {
        bits |= bits << 8;
        bits |= bits << 16;
        bits |= bits << 32;
    }
    else {
        bits |= bits >> 8;
        bits |= bits >> 16;
        bits |= bits >> 32;
    }
    return Bitboard{bits};
}

template <Color us>
constexpr Bitboard one_forward(Bitboard set) {
    return core::shifted<(us == Color::white ? Direction::north : Direction::south)>(set);
}

int distance(Square a, Square b) {
    return std::max(std::abs(a.file() - b.file()), std::abs(a.rank() - b.rank()));
}

/// What a player's men attack, gathered once and used by several terms.
struct Attacks {
    std::array<Bitboard, 6> by_type;
    Bitboard all;
    Bitboard twice;
    int attackers = 0;  ///< pieces that aim at the enemy king's surroundings
    int danger = 0;     ///< and how dangerous that is

    void add(PieceType type, Bitboard squares) {
        by_type[core::index_of(type)] |= squares;
        twice |= all & squares;
        all |= squares;
    }
    Bitboard of(PieceType type) const { return by_type[core::index_of(type)]; }
};

/// Adds up a position term by term, from White's view.
class Evaluation {
public:
    explicit Evaluation(const Position& position) : position_{position} {
        kings_and_pawns<Color::white>();
        kings_and_pawns<Color::black>();
    }

    Score run() {
        // What the pieces attack is gathered on the way and must be there for the other terms.
        Tapered sum = activity<Color::white>() - activity<Color::black>();
        sum += side<Color::white>() - side<Color::black>();
        const int phase = std::min(this->phase(), weights::full_phase);
        const int endgame = sum.endgame * scale(sum.endgame) / full_scale;
        const int score = (sum.middlegame * phase + endgame * (weights::full_phase - phase))
                        / weights::full_phase;
        const bool white = position_.side_to_move() == Color::white;
        const Score own = (white ? score : -score) + weights::tempo;
        return bounded(own);
    }

private:
    template <Color us>
    Attacks& mine() {
        return attacks_[core::index_of(us)];
    }

    template <Color us>
    void kings_and_pawns() {
        const Square king = position_.king(us);
        mine<us>().add(PieceType::king, core::king_attacks(king));
        mine<us>().add(PieceType::pawn,
                       core::pawn_attacks<us>(position_.pieces(us, PieceType::pawn)));
        const Bitboard ring = core::king_attacks(king) | Bitboard{king};
        king_zones_[core::index_of(us)] = ring | one_forward<us>(ring);
    }

    /// What a piece attacks; sliders look through their own queen (and rooks through rooks).
    Bitboard piece_sight(Color us, PieceType type, Square square) const {
        Bitboard occupied = position_.pieces() ^ position_.pieces(us, PieceType::queen);
        if (type == PieceType::rook)
            occupied ^= position_.pieces(us, PieceType::rook);
        if (type == PieceType::queen)
            occupied = position_.pieces();
        return core::piece_attacks(type, square, occupied);
    }

    template <Color us>
    Tapered side() {
        return placement<us>() + pawns<us>() + pieces<us>() + threats<us>() + king_safety<us>();
    }

    template <Color us>
    Tapered placement() const {
        Tapered sum;
        for (const auto type : core::all_piece_types) {
            const auto index = core::index_of(type);
            for (const Square square : position_.pieces(us, type)) {
                sum += weights::material[index];
                sum += weights::piece_square[index][at(square.rank_for(us))]
                                            [at(std::min(square.file(), 7 - square.file()))];
            }
        }
        return sum;
    }

    /// Mobility; and, gathered on the way, what the pieces attack and aim at the enemy king.
    template <Color us>
    Tapered activity() {
        const Bitboard area = ~(position_.pieces(us, PieceType::pawn, PieceType::king)
                                | mine<~us>().of(PieceType::pawn));
        const Bitboard zone = king_zones_[core::index_of(~us)];
        Attacks& attacks = mine<us>();
        Tapered sum;
        for (const auto type : moving_types) {
            const auto& mobility = weights::mobility[core::index_of(type) - 1];
            for (const Square square : position_.pieces(us, type)) {
                const Bitboard seen = piece_sight(us, type, square);
                attacks.add(type, seen);
                sum += mobility[at((seen & area).count())];
                if (const Bitboard aimed = seen & zone) {
                    ++attacks.attackers;
                    attacks.danger += weights::attacker_danger[core::index_of(type)]
                                    + weights::attacked_square_danger * aimed.count();
                }
            }
        }
        return sum;
    }

    template <Color us>
    Tapered pawns() {
        constexpr Color them = ~us;
        const Bitboard own = position_.pieces(us, PieceType::pawn);
        const Bitboard enemy = position_.pieces(them, PieceType::pawn);
        const Bitboard guarded = core::pawn_attacks<us>(own);
        const Bitboard own_files = filled_forward<us>(own) | filled_forward<them>(own);
        const Bitboard enemy_front = filled_forward<them>(enemy);
        const Bitboard stoppable = enemy_front | files_beside(one_forward<them>(enemy_front));
        const Bitboard passed = own & ~stoppable & ~filled_forward<them>(one_forward<them>(own));
        const Bitboard isolated = own & ~files_beside(own_files);
        const Bitboard behind = own & filled_forward<them>(one_forward<them>(own));
        const Bitboard connected = own & (guarded | files_beside(own));
        // Its neighbours have gone past it, and an enemy pawn guards the square before it.
        const Bitboard backward = own & ~isolated & ~filled_forward<us>(files_beside(own))
                                & one_forward<them>(core::pawn_attacks<them>(enemy));

        Tapered sum = weights::isolated_pawn * isolated.count()
                    + weights::doubled_pawn * behind.count()
                    + weights::backward_pawn * backward.count();
        for (const Square square : connected)
            sum += weights::connected_pawn[at(square.rank_for(us))];
        for (const Square square : passed)
            sum += passed_pawn<us>(square);
        return sum;
    }

    template <Color us>
    Tapered passed_pawn(Square square) const {
        const auto rank = at(square.rank_for(us));
        const Square stop{square.index() + (us == Color::white ? 8 : -8)};
        Tapered sum = weights::passed_pawn[rank];
        sum.endgame += weights::passed_enemy_king[rank] * distance(position_.king(~us), stop)
                     + weights::passed_own_king[rank] * distance(position_.king(us), stop);
        if (position_.pieces().contains(stop))
            sum += weights::blocked_passed_pawn;
        else if (!attacks_[core::index_of(~us)].all.contains(stop))
            sum += weights::free_passed_pawn[rank];
        if (attacks_[core::index_of(us)].all.contains(stop))
            sum += weights::guided_passed_pawn[rank];
        return sum;
    }

    template <Color us>
    Tapered pieces() {
        Tapered sum;
        if (position_.pieces(us, PieceType::bishop).more_than_one())
            sum += weights::bishop_pair;

        const Bitboard own_pawns = position_.pieces(us, PieceType::pawn);
        const Bitboard enemy_pawns = position_.pieces(~us, PieceType::pawn);
        for (const Square rook : position_.pieces(us, PieceType::rook)) {
            const Bitboard file = Bitboard::file(rook.file());
            if ((file & own_pawns).empty())
                sum += (file & enemy_pawns) ? weights::rook_on_half_open_file
                                            : weights::rook_on_open_file;
        }

        constexpr Bitboard outpost_ranks =
            us == Color::white ? Bitboard::rank(3) | Bitboard::rank(4) | Bitboard::rank(5)
                               : Bitboard::rank(4) | Bitboard::rank(3) | Bitboard::rank(2);
        const Bitboard chased = files_beside(filled_forward<~us>(one_forward<~us>(enemy_pawns)));
        const Bitboard outposts = outpost_ranks & mine<us>().of(PieceType::pawn) & ~chased;
        sum += minors<us>();
        sum +=
            weights::knight_outpost * (position_.pieces(us, PieceType::knight) & outposts).count();
        sum +=
            weights::bishop_outpost * (position_.pieces(us, PieceType::bishop) & outposts).count();
        return sum;
    }

    /// Bishops and knights among the own pawns.
    template <Color us>
    Tapered minors() const {
        const Bitboard own_pawns = position_.pieces(us, PieceType::pawn);
        const Bitboard bishops = position_.pieces(us, PieceType::bishop);
        const Bitboard sheltered = (bishops | position_.pieces(us, PieceType::knight))
                                 & one_forward<~us>(position_.pieces(PieceType::pawn));
        Tapered sum = weights::minor_behind_pawn * sheltered.count();
        sum += weights::pawn_on_bishop_color
             * ((bishops & light_squares).count() * (own_pawns & light_squares).count()
                + (bishops & ~light_squares).count() * (own_pawns & ~light_squares).count());
        return sum;
    }

    template <Color us>
    Tapered threats() {
        const Bitboard enemies = position_.pieces(~us);
        const Bitboard pieces = enemies & ~position_.pieces(PieceType::pawn, PieceType::king);
        const Bitboard heavy = position_.pieces(~us, PieceType::rook, PieceType::queen);
        const Attacks& own = mine<us>();
        const Attacks& other = mine<~us>();
        const Bitboard by_minor = own.of(PieceType::knight) | own.of(PieceType::bishop);
        const Bitboard unguarded = pieces & ~other.of(PieceType::pawn) & ~other.all;
        Tapered sum = weights::threat_by_pawn * (pieces & own.of(PieceType::pawn)).count();
        sum += weights::threat_by_minor * (heavy & by_minor).count();
        sum += weights::threat_by_rook
             * (position_.pieces(~us, PieceType::queen) & own.of(PieceType::rook)).count();
        sum += weights::hanging_piece * (unguarded & own.all).count();
        sum += weights::minor_against_minor
             * (pieces & ~heavy & by_minor & ~other.of(PieceType::pawn)).count();
        const Bitboard enemy_pawns = position_.pieces(~us, PieceType::pawn);
        sum += weights::hanging_pawn * (enemy_pawns & own.all & ~other.all).count();
        const Bitboard steps = one_forward<us>(position_.pieces(us, PieceType::pawn))
                             & ~position_.pieces() & ~other.of(PieceType::pawn)
                             & (own.all | ~other.all);
        sum += weights::threat_of_pawn * (pieces & core::pawn_attacks<us>(steps)).count();
        return sum;
    }

    /// How many ranks the nearest pawn of a file is before a king, as a player counts them; 0 if
    /// there is none.
    template <Color us>
    static std::size_t lead_of(Bitboard pawns_of_file, Square king) {
        int nearest = 0;
        for (const Square pawn : pawns_of_file) {
            const int ahead = pawn.rank_for(us) - king.rank_for(us);
            if (ahead > 0 && (nearest == 0 || ahead < nearest))
                nearest = ahead;
        }
        return at(nearest);
    }

    /// The shelter that a player's own pawns give the king, and those that storm it.
    template <Color us>
    Tapered shelter(Square king) const {
        Tapered sum;
        const int middle = std::clamp(king.file(), 1, 6);
        for (int file = middle - 1; file <= middle + 1; ++file) {
            const Bitboard pawns = position_.pieces(PieceType::pawn) & Bitboard::file(file);
            sum += weights::shield_pawn[lead_of<us>(pawns & position_.pieces(us), king)];
            sum += weights::storm_pawn[lead_of<us>(pawns & position_.pieces(~us), king)];
            if (pawns.empty())
                sum += weights::open_file_at_king;
        }
        return sum;
    }

    /// Danger grows with the square of what is aimed at the king's surroundings.
    template <Color us>
    Tapered king_safety() {
        constexpr Color them = ~us;
        const Square king = position_.king(us);
        const Attacks& own = mine<us>();
        const Attacks& other = mine<them>();
        const Bitboard safe = ~position_.pieces(them)
                            & (~own.all | (other.twice & ~own.twice & ~own.of(PieceType::pawn)));
        int danger = other.danger - weights::weak_shield_danger;
        for (const auto type : moving_types) {
            const Bitboard from_king = core::piece_attacks(type, king, position_.pieces());
            if (from_king & other.of(type) & safe)
                danger += weights::safe_check_danger[core::index_of(type)];
        }
        const Bitboard ring = core::king_attacks(king);
        const Bitboard weak = ring & other.all & ~own.twice;
        danger += weights::weak_shield_danger * weak.count();
        if (position_.pieces(them, PieceType::queen).empty())
            danger -= weights::no_queen_relief;

        Tapered sum = shelter<us>(king);
        if (other.attackers > 1 && danger > 0) {
            sum.middlegame -= danger * danger / 110;
            sum.endgame -= danger / 8;
        }
        return sum;
    }

    int phase() const {
        int sum = 0;
        for (const auto type : core::all_piece_types)
            sum += weights::phase[core::index_of(type)] * position_.pieces(type).count();
        return sum;
    }

    int piece_value(Color color) const {
        int sum = 0;
        for (const auto type : moving_types)
            sum += weights::material[core::index_of(type)].endgame
                 * position_.pieces(color, type).count();
        return sum;
    }

    /// How much of an endgame advantage can be won.
    int scale(int endgame) const {
        const Color strong = endgame > 0 ? Color::white : Color::black;
        const Bitboard bishops = position_.pieces(PieceType::bishop);
        const int pawns = position_.pieces(strong, PieceType::pawn).count();
        const int lead = piece_value(strong) - piece_value(~strong);
        if (lead >= nearly_a_rook)
            return full_scale;
        if (pawns == 0)
            return piece_value(strong) < nearly_a_rook ? weights::hopeless_scale
                                                       : weights::pawnless_scale;
        const bool opposite = position_.pieces(Color::white, PieceType::bishop).count() == 1
                           && position_.pieces(Color::black, PieceType::bishop).count() == 1
                           && (bishops & light_squares).count() == 1;
        if (opposite) {
            const bool bishops_only = piece_value(Color::white) < nearly_a_rook
                                   && piece_value(Color::black) < nearly_a_rook;
            return bishops_only ? weights::opposite_bishops_scale
                                : weights::opposite_bishops_and_pieces_scale;
        }
        return std::min(full_scale, weights::scale_without_pawns + weights::scale_per_pawn * pawns);
    }

    const Position& position_;
    std::array<Attacks, 2> attacks_{};
    std::array<Bitboard, 2> king_zones_{};
};

}  // namespace

Score evaluate(const Position& position) {
    return Evaluation{position}.run();
}

}  // namespace engine
