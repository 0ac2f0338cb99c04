#include "engine/evaluate/endgames.hpp"

#include <cstdlib>

#include "core/attacks.hpp"

#include "engine/evaluate/kpk.hpp"

namespace engine::evaluate {

namespace {

using core::Bitboard;
using core::Color;
using core::PieceType;
using core::Position;
using core::Square;

/// Scale factors are in 64ths; their values are Stockfish's.
constexpr int full_scale = 64;

constexpr Bitboard light_squares = Bitboard::light_squares();

constexpr int minor_value = 3;
constexpr int rook_value = 5;
constexpr int queen_value = 9;

/// The material of one side without pawns and king, in pawns.
int piece_value(const Position& position, Color color) {
    return minor_value * position.pieces(color, PieceType::knight, PieceType::bishop).count()
         + rook_value * position.pieces(color, PieceType::rook).count()
         + queen_value * position.pieces(color, PieceType::queen).count();
}

bool is_lone_king(const Position& position, Color color) {
    return !position.pieces(color).more_than_one();
}

/// The distance of a square from the centre of the board: 0 to 6.
int centre_distance(Square square) {
    const auto steps = [](int line) { return line < 4 ? 3 - line : line - 4; };
    return steps(square.file()) + steps(square.rank());
}

/// 7 in the two corners of that colour, 0 on the diagonal between the other two.
int corner_proximity(Square square, bool light) {
    const int file = light ? 7 - square.file() : square.file();
    return std::abs(7 - square.rank() - file);
}

/// The bonus for driving the lone king to the edge (for bishop and knight: to a corner of the
/// bishop's colour) and for bringing the own king near it.
Score mating_bonus(const Position& position, Color strong) {
    const Square own = position.king(strong);
    const Square other = position.king(~strong);
    const int apart = std::abs(own.file() - other.file()) + std::abs(own.rank() - other.rank());
    const Bitboard bishops = position.pieces(strong, PieceType::bishop);
    const bool bishop_and_knight = position.pieces(strong).count() == 3 && bishops
                                && position.pieces(strong, PieceType::knight);
    const Score to_edge = bishop_and_knight
                            ? 40 * corner_proximity(other, !(bishops & light_squares).empty())
                            : 20 * centre_distance(other);
    return to_edge + 10 * (14 - apart);
}

/// Whether the pieces can force mate against a lone king.
bool can_mate(const Position& position, Color strong) {
    if (position.pieces(strong, PieceType::rook, PieceType::queen))
        return true;
    const Bitboard bishops = position.pieces(strong, PieceType::bishop);
    const Bitboard knights = position.pieces(strong, PieceType::knight);
    return (bishops && knights) || knights.count() > 2
        || ((bishops & light_squares) && (bishops & ~light_squares));
}

KpkPosition kpk_position(const Position& position, Color strong) {
    return {position.king(strong).relative_square(strong),
            position.pieces(PieceType::pawn).lsb().relative_square(strong),
            position.king(~strong).relative_square(strong), position.side_to_move() == strong};
}

/// Wrong bishop or no bishop: all pawns are on one edge file and the lone king is in or next to
/// their promotion corner, from which only a bishop of the corner's colour could drive it away.
bool is_wrong_corner_draw(const Position& position, Color strong) {
    const Bitboard pawns = position.pieces(strong, PieceType::pawn);
    const Bitboard bishops = position.pieces(strong, PieceType::bishop);
    const int file = pawns.lsb().file();
    if ((file != 0 && file != 7) || (pawns & ~Bitboard::file(file)))
        return false;
    const Square corner = Square::at(file, strong == Color::white ? 7 : 0);
    const Bitboard reach = light_squares.contains(corner) ? light_squares : ~light_squares;
    const Bitboard near = core::king_attacks(corner) | Bitboard{corner};
    return position.pieces(strong) == (pawns | bishops | position.pieces(strong, PieceType::king))
        && (bishops & reach).empty() && near.contains(position.king(~strong));
}

/// The score for `strong` when the other side has only the king.
Score score_against_lone_king(const Position& position, Color strong, Score score) {
    if (can_mate(position, strong))
        return known_win + 100 * piece_value(position, strong) + mating_bonus(position, strong);
    const Bitboard pawns = position.pieces(PieceType::pawn);
    if (pawns.empty() || is_wrong_corner_draw(position, strong))
        return draw;
    if (position.pieces().count() > 3)
        return score;
    const KpkPosition ending = kpk_position(position, strong);
    return kpk_is_won(ending) ? known_win + 10 * ending.pawn.rank() : draw;
}

/// The scale factor on an advantage without pawns.
int scale_without_pawns(const Position& position, Color strong) {
    const int own = piece_value(position, strong);
    const int other = piece_value(position, ~strong);
    if (own - other > minor_value)
        return full_scale;
    if (own < rook_value)
        return 0;
    return other <= minor_value ? 4 : 14;
}

/// Opposite-coloured bishops, one each, and pawns only.
bool is_opposite_bishop_ending(const Position& position) {
    const Bitboard bishops = position.pieces(PieceType::bishop);
    return bishops.count() == 2 && (bishops & position.pieces(Color::white)).count() == 1
        && (bishops & light_squares).count() == 1
        && (position.pieces(PieceType::rook, PieceType::queen) | position.pieces(PieceType::knight))
               .empty();
}

/// The score for the side that is better, scaled down where its advantage is hard to win.
Score scale_advantage(const Position& position, Color strong, Score score) {
    const Bitboard pawns = position.pieces(PieceType::pawn);
    if ((pawns & position.pieces(strong)).empty()) {
        const int scale = scale_without_pawns(position, strong);
        if (scale < full_scale)
            return score * scale / full_scale;
        return pawns.empty() ? score + mating_bonus(position, strong) : score;
    }
    if (is_opposite_bishop_ending(position))
        return score * (22 + 3 * position.pieces(strong).count()) / full_scale;
    return score;
}

}  // namespace

Score apply_endgame_rules(const Position& position, Score network_score) {
    const Color player = position.side_to_move();
    for (const Color color : core::both_colors) {
        if (is_lone_king(position, color)) {
            const int sign = color == player ? -1 : 1;
            return sign * score_against_lone_king(position, ~color, sign * network_score);
        }
    }
    const int sign = network_score < 0 ? -1 : 1;
    return sign * scale_advantage(position, sign < 0 ? ~player : player, sign * network_score);
}

}  // namespace engine::evaluate
