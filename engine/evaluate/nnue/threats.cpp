#include "engine/evaluate/nnue/threats.hpp"

#include <utility>

#include "core/attacks.hpp"

namespace engine::nnue {

namespace {

using core::Bitboard;
using core::Color;
using core::Direction;
using core::PieceType;
using core::Square;

/// A side's pieces and what they attack.
struct Side {
    Side(Color side, const core::SquaresByType& squares, Bitboard all_pieces, Bitboard occupied)
        : color{side},
          pieces{squares},
          all{all_pieces},
          attacks{core::attack_sets(side, squares, occupied)} {}

    Bitboard of(PieceType type) const { return pieces[core::index_of(type)]; }
    Square king() const { return of(PieceType::king).lsb(); }

    Color color;
    const core::SquaresByType& pieces;
    Bitboard all;
    core::AttackSets attacks;
};

/// Adds a threat to each piece of a side on these squares.
void add_pieces(ThreatList& threats, ThreatKind kind, const Side& side, Bitboard squares) {
    if (squares.empty())
        return;
    for (const auto type : core::all_piece_types)
        for (const auto square : side.of(type) & squares)
            threats.add({kind, side.color, static_cast<std::uint8_t>(type), square});
}

void add_attacked(ThreatList& threats, const Side& us, const Side& them) {
    const Bitboard attacked = us.all & ~us.of(PieceType::king) & them.attacks.by_any;
    if (attacked.empty())
        return;
    const Bitboard undefended = attacked & ~us.attacks.by_any;
    const Bitboard by_lesser =
        ((us.of(PieceType::knight) | us.of(PieceType::bishop)) & them.attacks.by_pawns())
        | (us.of(PieceType::rook) & them.attacks.by_minors())
        | (us.of(PieceType::queen) & them.attacks.by_rooks());
    const Bitboard outnumbered =
        attacked & them.attacks.by_many & us.attacks.by_any & ~us.attacks.by_many & ~by_lesser;
    add_pieces(threats, ThreatKind::undefended, us, undefended);
    add_pieces(threats, ThreatKind::lesser_attacker, us, by_lesser);
    add_pieces(threats, ThreatKind::outnumbered, us, outnumbered);
}

void add_pinned(ThreatList& threats, const Side& us, const Side& them) {
    const Bitboard queens = them.of(PieceType::queen);
    const Bitboard sliders = (core::bishop_rays(us.king()) & (them.of(PieceType::bishop) | queens))
                           | (core::rook_rays(us.king()) & (them.of(PieceType::rook) | queens));
    Bitboard pinned;
    for (const auto slider : sliders) {
        const Bitboard between = core::between(us.king(), slider) & (us.all | them.all);
        if (!between.more_than_one())
            pinned |= between & us.all;
    }
    add_pieces(threats, ThreatKind::pinned, us, pinned);
}

/// Checks that `us` can give.
void add_checks(ThreatList& threats, const Side& us, const Side& them) {
    const Bitboard occupied = us.all | them.all;
    const Bitboard only_by_king = them.attacks.by_king() & ~them.attacks.by_many;
    const Bitboard safe = ~us.all & (~them.attacks.by_any | (only_by_king & us.attacks.by_many));
    const auto add = [&](PieceType type, Bitboard checking_squares) {
        checking_squares &= us.attacks.by[core::index_of(type)] & safe;
        for (const auto square : checking_squares)
            threats.add({ThreatKind::check, us.color, static_cast<std::uint8_t>(type), square});
    };
    const Bitboard diagonal = core::bishop_attacks(them.king(), occupied);
    const Bitboard straight = core::rook_attacks(them.king(), occupied);
    add(PieceType::knight, core::knight_attacks(them.king()));
    add(PieceType::bishop, diagonal);
    add(PieceType::rook, straight);
    add(PieceType::queen, diagonal | straight);
}

template <Color color>
constexpr Direction forward = color == Color::white ? Direction::north : Direction::south;

/// The squares in front of pawns of a colour, to the end of the board.
template <Color color>
Bitboard in_front_of(Bitboard pawns) {
    Bitboard squares = core::shift<forward<color>>(pawns);
    for (int step = 1; step < 6; ++step)
        squares |= core::shift<forward<color>>(squares);
    return squares;
}

template <Color color>
void add_passed_pawns(ThreatList& threats, const Side& us, const Side& them) {
    const Bitboard foes = them.of(PieceType::pawn);
    const Bitboard stopped = in_front_of<~color>(foes | core::shift<Direction::east>(foes)
                                                 | core::shift<Direction::west>(foes));
    for (const auto square : us.of(PieceType::pawn) & ~stopped) {
        const Bitboard front = core::shift<forward<color>>(Bitboard{square});
        int state = 0;
        if ((front & (us.all | them.all)).empty())
            state = 1 + ((front & us.attacks.by_any).empty() ? 0 : 1)
                  + ((front & them.attacks.by_any).empty() ? 0 : 2);
        threats.add({ThreatKind::passed_pawn, color, static_cast<std::uint8_t>(state), square});
    }
}

Bitboard all_of(const core::SquaresByType& pieces) {
    Bitboard all;
    for (const Bitboard squares : pieces)
        all |= squares;
    return all;
}

ThreatList threats_of(const PieceSquares& pieces, Bitboard all_white, Bitboard all_black) {
    const Bitboard occupied = all_white | all_black;
    const Side white{Color::white, pieces[0], all_white, occupied};
    const Side black{Color::black, pieces[1], all_black, occupied};
    ThreatList threats;
    for (const auto& [us, them] : {std::pair{&white, &black}, std::pair{&black, &white}}) {
        add_attacked(threats, *us, *them);
        add_pinned(threats, *us, *them);
        add_checks(threats, *us, *them);
    }
    add_passed_pawns<Color::white>(threats, white, black);
    add_passed_pawns<Color::black>(threats, black, white);
    return threats;
}

}  // namespace

ThreatList find_threats(const PieceSquares& pieces) {
    return threats_of(pieces, all_of(pieces[0]), all_of(pieces[1]));
}

PieceSquares piece_squares(const core::Position& position) {
    PieceSquares pieces;
    for (const auto color : core::both_colors)
        for (const auto type : core::all_piece_types)
            pieces[core::index_of(color)][core::index_of(type)] = position.pieces(color, type);
    return pieces;
}

ThreatList find_threats(const core::Position& position) {
    // Adding up the squares that were just stored would wait for the stores.
    return threats_of(piece_squares(position), position.pieces(Color::white),
                      position.pieces(Color::black));
}

}  // namespace engine::nnue
