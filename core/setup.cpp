#include "core/setup.hpp"

#include <algorithm>
#include <string>

namespace core {

namespace {

std::string side(Color color) {
    return std::string{name(color)};
}

std::optional<Error> check_kings(const Setup& setup, Color color) {
    const int kings = setup.count(color, PieceType::king);
    if (kings == 1)
        return std::nullopt;
    return Error{"board: " + side(color)
                 + (kings == 0 ? " has no king" : " has " + std::to_string(kings) + " kings")};
}

/// At most 8 pawns, and every piece beyond the initial ones was promoted from a pawn.
std::optional<Error> check_material(const Setup& setup, Color color) {
    const int pawns = setup.count(color, PieceType::pawn);
    if (pawns > 8)
        return Error{"board: " + side(color) + " has " + std::to_string(pawns)
                     + " pawns, more than 8"};
    const auto beyond = [&](PieceType type, int first) {
        return std::max(0, setup.count(color, type) - first);
    };
    const int promoted = beyond(PieceType::knight, 2) + beyond(PieceType::bishop, 2)
                       + beyond(PieceType::rook, 2) + beyond(PieceType::queen, 1);
    if (pawns + promoted > 8)
        return Error{"board: " + side(color) + " has " + std::to_string(promoted)
                     + " promoted pieces and " + std::to_string(pawns)
                     + " pawns, together more than 8"};
    return std::nullopt;
}

std::optional<Error> check_pawns(const Setup& setup, Color color) {
    const Bitboard last_ranks = Bitboard::rank(0) | Bitboard::rank(7);
    const Bitboard misplaced = setup.pieces(Piece{color, PieceType::pawn}) & last_ranks;
    if (misplaced.empty())
        return std::nullopt;
    return Error{"board: a pawn cannot stand on " + misplaced.lsb().name()};
}

std::optional<Error> check_castling(const Setup& setup, Color color) {
    const Bitboard home = Bitboard::rank(color == Color::white ? 0 : 7);
    const Bitboard outside = setup.castling_rooks & ~(Bitboard::rank(0) | Bitboard::rank(7));
    if (outside)
        return Error{"castling: a rook cannot castle from " + outside.lsb().name()};
    const Bitboard rooks = setup.castling_rooks & home;
    if (rooks.empty())
        return std::nullopt;
    const Square king = setup.pieces(Piece{color, PieceType::king}).lsb();
    if (!home.contains(king))
        return Error{"castling: the king of " + side(color) + " is not on its first rank"};
    int king_side = 0;
    for (const Square rook : rooks) {
        if (setup.at(rook) != Piece{color, PieceType::rook})
            return Error{"castling: " + side(color) + " has no rook on " + rook.name()};
        king_side += rook.file() > king.file() ? 1 : 0;
    }
    if (king_side > 1 || rooks.count() - king_side > 1)
        return Error{"castling: " + side(color) + " has two rooks for the same side"};
    return std::nullopt;
}

std::optional<Error> check_en_passant(const Setup& setup) {
    if (!setup.en_passant)
        return std::nullopt;
    const Square square = *setup.en_passant;
    const Color pusher = ~setup.side_to_move;
    const auto refuse = [&](const std::string& why) {
        return Error{"en passant: " + square.name() + why};
    };
    if (square.relative_rank(pusher) != 2)
        return refuse(" cannot be passed by a double push of " + side(pusher));
    const int forward = pusher == Color::white ? 8 : -8;
    const Square origin{square.index() - forward};
    const Square landing{square.index() + forward};
    if (setup.at(landing) != Piece{pusher, PieceType::pawn})
        return refuse(" has no pawn of " + side(pusher) + " in front of it");
    if (setup.at(square) || setup.at(origin))
        return refuse(" and the square behind it must be empty");
    return std::nullopt;
}

std::optional<Error> check_counters(const Setup& setup) {
    const auto refuse = [](const char* field, int number) {
        return Error{std::string{field} + ": " + std::to_string(number)
                     + " is not a number from 0 to " + std::to_string(max_counter)};
    };
    if (setup.halfmove_clock < 0 || setup.halfmove_clock > max_counter)
        return refuse("halfmove clock", setup.halfmove_clock);
    if (setup.fullmove_number < 0 || setup.fullmove_number > max_counter)
        return refuse("fullmove number", setup.fullmove_number);
    return std::nullopt;
}

}  // namespace

Bitboard Setup::pieces(Piece piece) const {
    Bitboard squares;
    for (int i = 0; i < Square::count; ++i) {
        if (at(Square{i}) == piece)
            squares |= Bitboard{Square{i}};
    }
    return squares;
}

std::optional<Error> validate(const Setup& setup) {
    using Check = std::optional<Error> (*)(const Setup&, Color);
    for (const Check check : {check_kings, check_pawns, check_material, check_castling}) {
        for (const Color color : both_colors) {
            if (auto error = check(setup, color))
                return error;
        }
    }
    if (auto error = check_en_passant(setup))
        return error;
    return check_counters(setup);
}

}  // namespace core
