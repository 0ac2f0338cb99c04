#include "core/setup.hpp"

#include <algorithm>
#include <string>

namespace core {

namespace {

std::string side(Color color) {
    return std::string{name(color)};
}

std::optional<Error> fault_of_kings(const Setup& setup, Color color) {
    const int kings = setup.count(color, PieceType::king);
    if (kings == 1)
        return std::nullopt;
    return Error{"board: " + side(color)
                 + (kings == 0 ? " has no king" : " has " + std::to_string(kings) + " kings")};
}

/// A side has at most 8 pawns, and each piece beyond the first ones was a pawn once.
std::optional<Error> fault_of_material(const Setup& setup, Color color) {
    const int pawns = setup.count(color, PieceType::pawn);
    if (pawns > 8)
        return Error{"board: " + side(color) + " has " + std::to_string(pawns)
                     + " pawns, 8 are the most"};
    const auto beyond = [&](PieceType type, int first) {
        return std::max(0, setup.count(color, type) - first);
    };
    const int promoted = beyond(PieceType::knight, 2) + beyond(PieceType::bishop, 2)
                       + beyond(PieceType::rook, 2) + beyond(PieceType::queen, 1);
    if (pawns + promoted > 8)
        return Error{"board: " + side(color) + " has " + std::to_string(promoted)
                     + " promoted pieces beside " + std::to_string(pawns)
                     + " pawns, together 8 are the most"};
    return std::nullopt;
}

std::optional<Error> fault_of_pawns(const Setup& setup, Color color) {
    const Bitboard last_ranks = Bitboard::rank(0) | Bitboard::rank(7);
    const Bitboard misplaced = setup.pieces(Piece{color, PieceType::pawn}) & last_ranks;
    if (misplaced.empty())
        return std::nullopt;
    return Error{"board: a pawn cannot stand on " + misplaced.first().name()};
}

std::optional<Error> fault_of_castling(const Setup& setup, Color color) {
    const Bitboard home = Bitboard::rank(color == Color::white ? 0 : 7);
    const Bitboard astray = setup.castling_rooks & ~(Bitboard::rank(0) | Bitboard::rank(7));
    if (astray)
        return Error{"castling: no rook castles from " + astray.first().name()};
    const Bitboard rooks = setup.castling_rooks & home;
    if (rooks.empty())
        return std::nullopt;
    const Square king = setup.pieces(Piece{color, PieceType::king}).first();
    if (!home.contains(king))
        return Error{"castling: the king of " + side(color) + " has left its rank"};
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

std::optional<Error> fault_of_en_passant(const Setup& setup) {
    if (!setup.en_passant)
        return std::nullopt;
    const Square square = *setup.en_passant;
    const Color jumper = ~setup.side_to_move;
    const auto refuse = [&](const std::string& why) {
        return Error{"en passant: " + square.name() + why};
    };
    if (square.rank_for(jumper) != 2)
        return refuse(" is not a square that a pawn of " + side(jumper) + " jumps over");
    const int forward = jumper == Color::white ? 8 : -8;
    const Square origin{square.index() - forward};
    const Square landing{square.index() + forward};
    if (setup.at(landing) != Piece{jumper, PieceType::pawn})
        return refuse(" has no pawn of " + side(jumper) + " in front of it");
    if (setup.at(square) || setup.at(origin))
        return refuse(" or the square behind it is occupied");
    return std::nullopt;
}

std::optional<Error> fault_of_counters(const Setup& setup) {
    const auto refuse = [](const char* field, int number) {
        return Error{std::string{field} + ": " + std::to_string(number) + " is not from 0 to "
                     + std::to_string(largest_counter)};
    };
    if (setup.halfmove_clock < 0 || setup.halfmove_clock > largest_counter)
        return refuse("halfmove clock", setup.halfmove_clock);
    if (setup.fullmove_number < 0 || setup.fullmove_number > largest_counter)
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

std::optional<Error> fault_of(const Setup& setup) {
    using Check = std::optional<Error> (*)(const Setup&, Color);
    for (const Check check :
         {fault_of_kings, fault_of_pawns, fault_of_material, fault_of_castling}) {
        for (const Color color : both_colors) {
            if (auto fault = check(setup, color))
                return fault;
        }
    }
    if (auto fault = fault_of_en_passant(setup))
        return fault;
    return fault_of_counters(setup);
}

}  // namespace core
