#include "engine/evaluate/endings.hpp"

#include <cstdlib>

#include "core/attacks.hpp"

#include "engine/evaluate/pawn_ending.hpp"

namespace engine {

namespace {

using core::Bitboard;
using core::Color;
using core::PieceType;
using core::Position;
using core::Square;

/// Shares of a score are in 64ths; how large they are is Stockfish's experience.
constexpr int whole = 64;

constexpr Bitboard light_squares = Bitboard::light_squares();

constexpr int minor_value = 3;
constexpr int rook_value = 5;
constexpr int queen_value = 9;

/// What a player's knights, bishops, rooks and queens are worth, in pawns.
int pieces_value(const Position& position, Color color) {
    return minor_value * position.pieces(color, PieceType::knight, PieceType::bishop).count()
         + rook_value * position.pieces(color, PieceType::rook).count()
         + queen_value * position.pieces(color, PieceType::queen).count();
}

bool is_alone(const Position& position, Color color) {
    return !position.pieces(color).more_than_one();
}

/// How far a square is from the middle of the board: 0 to 6.
int from_middle(Square square) {
    const auto steps = [](int line) { return line < 4 ? 3 - line : line - 4; };
    return steps(square.file()) + steps(square.rank());
}

/// How near a square is to the corners of a colour: 7 there, 0 on the diagonal between the others.
int near_corners(Square square, bool light) {
    const int file = light ? 7 - square.file() : square.file();
    return std::abs(7 - square.rank() - file);
}

/// What it is worth that the other king stands at the edge, or in the corner that the bishop
/// can reach where only that one will do, and that the own king is near.
Score drive(const Position& position, Color strong) {
    const Square own = position.king(strong);
    const Square other = position.king(~strong);
    const int apart = std::abs(own.file() - other.file()) + std::abs(own.rank() - other.rank());
    const Bitboard bishops = position.pieces(strong, PieceType::bishop);
    const bool bishop_and_knight = position.pieces(strong).count() == 3 && bishops
                                && position.pieces(strong, PieceType::knight);
    const Score to_edge = bishop_and_knight
                            ? 40 * near_corners(other, !(bishops & light_squares).empty())
                            : 20 * from_middle(other);
    return to_edge + 10 * (14 - apart);
}

/// Whether the pieces can mate a lone king whatever it does.
bool can_mate(const Position& position, Color strong) {
    if (position.pieces(strong, PieceType::rook, PieceType::queen))
        return true;
    const Bitboard bishops = position.pieces(strong, PieceType::bishop);
    const Bitboard knights = position.pieces(strong, PieceType::knight);
    return (bishops && knights) || knights.count() > 2
        || ((bishops & light_squares) && (bishops & ~light_squares));
}

PawnEnding pawn_ending(const Position& position, Color strong) {
    return {position.king(strong).seen_by(strong),
            position.pieces(PieceType::pawn).first().seen_by(strong),
            position.king(~strong).seen_by(strong), position.side_to_move() == strong};
}

/// Whether all pawns stand on one edge of the board and the other king in or at the corner that they
/// want to reach, from where only a bishop of the corner's colour could drive it away.
bool is_held_in_corner(const Position& position, Color strong) {
    const Bitboard pawns = position.pieces(strong, PieceType::pawn);
    const Bitboard bishops = position.pieces(strong, PieceType::bishop);
    const int file = pawns.first().file();
    if ((file != 0 && file != 7) || (pawns & ~Bitboard::file(file)))
        return false;
    const Square corner = Square::at(file, strong == Color::white ? 7 : 0);
    const Bitboard reach = light_squares.contains(corner) ? light_squares : ~light_squares;
    const Bitboard near = core::king_attacks(corner) | Bitboard{corner};
    return position.pieces(strong) == (pawns | bishops | position.pieces(strong, PieceType::king))
        && (bishops & reach).empty() && near.contains(position.king(~strong));
}

/// To the player with the pieces, when the other has nothing but the king.
Score against_lone_king(const Position& position, Color strong, Score score) {
    if (can_mate(position, strong))
        return certain_win + 100 * pieces_value(position, strong) + drive(position, strong);
    const Bitboard pawns = position.pieces(PieceType::pawn);
    if (pawns.empty() || is_held_in_corner(position, strong))
        return draw;
    if (position.pieces().count() > 3)
        return score;
    const PawnEnding ending = pawn_ending(position, strong);
    return is_won(ending) ? certain_win + 10 * ending.pawn.rank() : draw;
}

/// How much of an advantage counts when the player who has it has no pawn left to promote.
int share_without_pawns(const Position& position, Color strong) {
    const int own = pieces_value(position, strong);
    const int other = pieces_value(position, ~strong);
    if (own - other > minor_value)
        return whole;
    if (own < rook_value)
        return 0;
    return other <= minor_value ? 4 : 14;
}

/// Nothing but bishops that never meet, one each, and pawns.
bool has_opposite_bishops(const Position& position) {
    const Bitboard bishops = position.pieces(PieceType::bishop);
    return bishops.count() == 2 && (bishops & position.pieces(Color::white)).count() == 1
        && (bishops & light_squares).count() == 1
        && (position.pieces(PieceType::rook, PieceType::queen) | position.pieces(PieceType::knight))
               .empty();
}

/// To the player who stands better.
Score to_the_better(const Position& position, Color strong, Score score) {
    const Bitboard pawns = position.pieces(PieceType::pawn);
    if ((pawns & position.pieces(strong)).empty()) {
        const int share = share_without_pawns(position, strong);
        if (share < whole)
            return score * share / whole;
        return pawns.empty() ? score + drive(position, strong) : score;
    }
    if (has_opposite_bishops(position))
        return score * (22 + 3 * position.pieces(strong).count()) / whole;
    return score;
}

}  // namespace

Score with_endings(const Position& position, Score by_network) {
    const Color player = position.side_to_move();
    for (const Color color : core::both_colors) {
        if (is_alone(position, color)) {
            const int sign = color == player ? -1 : 1;
            return sign * against_lone_king(position, ~color, sign * by_network);
        }
    }
    const int sign = by_network < 0 ? -1 : 1;
    return sign * to_the_better(position, sign < 0 ? ~player : player, sign * by_network);
}

}  // namespace engine
