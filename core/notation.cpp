#include "core/notation.hpp"

#include <cstdlib>

#include "core/movegen.hpp"
#include "core/text.hpp"

namespace core {

namespace {

char piece_letter(PieceType type) {
    return Piece{Color::white, type}.letter();
}

std::optional<PieceType> read_piece_type(char capital) {
    const auto piece = Piece::read(capital);
    if (!piece || piece->color() == Color::black)
        return std::nullopt;
    return piece->type();
}

std::optional<PieceType> read_promotion(char letter) {
    const char capital = letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter;
    const auto type = read_piece_type(capital);
    if (type == PieceType::pawn || type == PieceType::king)
        return std::nullopt;
    return type;
}

bool is_standard_castling(Move move) {
    return move.from().file() == 4 && (move.to().file() == 0 || move.to().file() == 7);
}

/// A move in coordinates: two squares, and the piece for a promotion.
struct Coordinates {
    Square from;
    Square to;
    std::optional<PieceType> promotion;
};

std::optional<Coordinates> read_coordinates(std::string_view text) {
    if (text.size() != 4 && text.size() != 5)
        return std::nullopt;
    const auto from = Square::read(text.substr(0, 2));
    const auto to = Square::read(text.substr(2, 2));
    if (!from || !to)
        return std::nullopt;
    Coordinates result{*from, *to, std::nullopt};
    if (text.size() == 5) {
        result.promotion = read_promotion(text[4]);
        if (!result.promotion)
            return std::nullopt;
    }
    return result;
}

/// The castling move if the king moves more than one file or onto its own rook.
std::optional<Move> castling_for(const Position& position, const Coordinates& text) {
    const Color us = position.side_to_move();
    if (text.from != position.king(us) || text.promotion)
        return std::nullopt;
    if (position.castling_rooks().contains(text.to) && position.pieces(us).contains(text.to))
        return Move::castling(text.from, text.to);
    const int distance = text.to.file() - text.from.file();
    if (text.to.rank() != text.from.rank() || std::abs(distance) < 2)
        return std::nullopt;
    const Side side = distance > 0 ? Side::king_side : Side::queen_side;
    const auto rook = position.castling_rook(us, side);
    if (!rook || text.to != castled_king(us, side))
        return std::nullopt;
    return Move::castling(text.from, *rook);
}

Move move_for(const Position& position, const Coordinates& text) {
    if (const auto castling = castling_for(position, text))
        return *castling;
    if (text.promotion)
        return Move::promotion(text.from, text.to, *text.promotion);
    const bool pawn = position.pieces(PieceType::pawn).contains(text.from);
    if (pawn && position.en_passant() == text.to && text.from.file() != text.to.file())
        return Move::en_passant(text.from, text.to);
    return Move::normal(text.from, text.to);
}

/// The parts of a move in SAN.
struct SanParts {
    PieceType piece = PieceType::pawn;
    std::optional<int> from_file;
    std::optional<int> from_rank;
    Square to{0};
    std::optional<PieceType> promotion;

    bool fits(const Position& position, Move move) const {
        return move.kind() != Move::Kind::castling && move.to() == to
            && position.piece_at_unchecked(move.from()).type() == piece
            && (!from_file || *from_file == move.from().file())
            && (!from_rank || *from_rank == move.from().rank())
            && (move.is_promotion() ? promotion == move.promoted_to() : !promotion);
    }
};

std::string_view without_marks(std::string_view text) {
    while (!text.empty() && std::string_view{"+#!?"}.find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    return text;
}

std::optional<SanParts> read_san_parts(std::string_view text) {
    SanParts result;
    if (const auto type = text.empty() ? std::nullopt : read_piece_type(text.front())) {
        result.piece = *type;
        text.remove_prefix(1);
    }
    if (text.size() > 2 && !Square::read(text.substr(text.size() - 2))) {
        result.promotion = read_promotion(text.back());
        if (!result.promotion)
            return std::nullopt;
        text.remove_suffix(text[text.size() - 2] == '=' ? 2 : 1);
    }
    if (text.size() < 2)
        return std::nullopt;
    const auto to = Square::read(text.substr(text.size() - 2));
    if (!to)
        return std::nullopt;
    result.to = *to;
    text.remove_suffix(2);
    if (!text.empty() && (text.back() == 'x' || text.back() == '-'))
        text.remove_suffix(1);
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'h') {
        result.from_file = text.front() - 'a';
        text.remove_prefix(1);
    }
    if (!text.empty() && text.front() >= '1' && text.front() <= '8') {
        result.from_rank = text.front() - '1';
        text.remove_prefix(1);
    }
    if (!text.empty())
        return std::nullopt;
    return result;
}

std::optional<Side> read_castling(std::string_view text) {
    if (text == "O-O" || text == "0-0")
        return Side::king_side;
    if (text == "O-O-O" || text == "0-0-0")
        return Side::queen_side;
    return std::nullopt;
}

Error no_such_move(std::string_view text) {
    return Error{quoted(text) + " is not a legal move here"};
}

Result<Move> castling_move(const Position& position, std::string_view text, Side side) {
    for (const Move move : legal_moves(position, MoveKinds::quiet)) {
        if (move.kind() == Move::Kind::castling && side_of_castling(move) == side)
            return move;
    }
    return no_such_move(text);
}

/// The origin's file, rank or both, as far as needed to distinguish the piece from others of its
/// type that can make the same move.
std::string disambiguation(const Position& position, Move move, PieceType type) {
    bool needed = false;
    bool same_file = false;
    bool same_rank = false;
    for (const Move other : legal_moves(position)) {
        if (other.to() != move.to() || other.from() == move.from()
            || other.kind() == Move::Kind::castling
            || position.piece_at_unchecked(other.from()).type() != type)
            continue;
        needed = true;
        same_file = same_file || other.from().file() == move.from().file();
        same_rank = same_rank || other.from().rank() == move.from().rank();
    }
    const std::string square = move.from().name();
    if (!needed)
        return "";
    if (!same_file)
        return square.substr(0, 1);
    return same_rank ? square : square.substr(1, 1);
}

std::string san_without_check(const Position& position, Move move) {
    if (move.kind() == Move::Kind::castling)
        return side_of_castling(move) == Side::king_side ? "O-O" : "O-O-O";
    const PieceType type = position.piece_at_unchecked(move.from()).type();
    const bool capture = position.is_capture(move);
    std::string text;
    if (type == PieceType::pawn) {
        if (capture)
            text += move.from().name()[0];
    }
    else {
        text += piece_letter(type);
        text += disambiguation(position, move, type);
    }
    if (capture)
        text += 'x';
    text += move.to().name();
    if (move.is_promotion()) {
        text += '=';
        text += piece_letter(move.promoted_to());
    }
    return text;
}

}  // namespace

std::string to_uci(Move move, CastlingStyle style) {
    if (move.kind() == Move::Kind::castling && style == CastlingStyle::king_moves_two
        && is_standard_castling(move))
        return move.from().name() + move_target(move).name();
    std::string text = move.from().name() + move.to().name();
    if (move.is_promotion())
        text += Piece{Color::black, move.promoted_to()}.letter();
    return text;
}

std::string san(const Position& position, Move move) {
    std::string text = san_without_check(position, move);
    const Position next = position.after(move);
    if (next.in_check())
        text += count_legal_moves(next) == 0 ? '#' : '+';
    return text;
}

Result<Move> read_move(const Position& position, std::string_view text) {
    if (const auto squares = read_coordinates(text)) {
        const Move move = move_for(position, *squares);
        if (is_legal(position, move))
            return move;
        return no_such_move(text);
    }
    const auto bare = without_marks(text);
    if (const auto side = read_castling(bare))
        return castling_move(position, text, *side);
    const auto parts = read_san_parts(bare);
    if (!parts)
        return Error{quoted(text) + " is not a move; moves look like e2e4, e7e8q or Nf3"};
    std::optional<Move> found;
    for (const Move move : legal_moves(position)) {
        if (!parts->fits(position, move))
            continue;
        if (found)
            return Error{quoted(text) + " is ambiguous: more than one move matches"};
        found = move;
    }
    if (!found)
        return no_such_move(text);
    return *found;
}

}  // namespace core
