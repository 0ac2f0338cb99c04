#include "core/fen.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace core {

namespace {

using Rank = std::array<std::optional<Piece>, 8>;

Result<Rank> read_rank(std::string_view text, int rank) {
    Rank pieces{};
    std::size_t file = 0;
    const auto refuse = [&](const std::string& why) {
        return Error{"board: rank " + std::to_string(rank + 1) + " " + why};
    };
    for (const char letter : text) {
        if (letter >= '1' && letter <= '8') {
            file += static_cast<std::size_t>(letter - '0');
            continue;
        }
        const auto piece = Piece::read(letter);
        if (!piece)
            return refuse("holds " + quoted({&letter, 1}) + ", which is not a piece");
        if (file < 8)
            pieces[file] = piece;
        if (++file > 8)
            break;
    }
    if (file != 8)
        return refuse(file > 8 ? "has more than 8 squares" : "has fewer than 8 squares");
    return pieces;
}

using Board = decltype(Setup::board);

Result<Board> read_board(std::string_view text) {
    Board board{};
    for (int rank = 7; rank >= 0; --rank) {
        const auto end = text.find('/');
        if ((end == std::string_view::npos) != (rank == 0))
            return Error{"board: expected 8 ranks separated by '/'"};
        const auto pieces = read_rank(text.substr(0, end), rank);
        if (!pieces)
            return pieces.error();
        std::copy(pieces->begin(), pieces->end(), board.begin() + std::ptrdiff_t{8} * rank);
        if (rank > 0)
            text.remove_prefix(end + 1);
    }
    return board;
}

Result<Color> read_side(std::string_view text) {
    if (text != "w" && text != "b")
        return Error{"side to move: " + quoted(text) + " is not w or b"};
    return text == "w" ? Color::white : Color::black;
}

/// The outermost rook on one side of the king, which K, Q, k and q stand for in X-FEN.
std::optional<Square> outermost_rook(const Setup& setup, Color color, Side side) {
    const Bitboard home = Bitboard::rank(color == Color::white ? 0 : 7);
    const Bitboard king = setup.pieces(Piece{color, PieceType::king}) & home;
    if (king.empty())
        return std::nullopt;
    std::optional<Square> outermost;
    for (const Square rook : setup.pieces(Piece{color, PieceType::rook}) & home) {
        const bool on_king_side = rook.file() > king.lsb().file();
        if (on_king_side != (side == Side::king_side))
            continue;
        if (!outermost || side == Side::king_side)
            outermost = rook;
    }
    return outermost;
}

/// The rooks that may still castle, on the board of `setup`.
Result<Bitboard> read_castling(std::string_view text, const Setup& setup) {
    Bitboard rooks;
    if (text == "-")
        return rooks;
    if (text.size() > 4)
        return Error{"castling: " + quoted(text) + " has more than 4 letters"};
    for (const char letter : text) {
        const bool white = letter >= 'A' && letter <= 'Z';
        const Color color = white ? Color::white : Color::black;
        const char small = static_cast<char>(white ? letter - 'A' + 'a' : letter);
        std::optional<Square> rook;
        if (small == 'k' || small == 'q')
            rook = outermost_rook(setup, color, small == 'k' ? Side::king_side : Side::queen_side);
        else if (small >= 'a' && small <= 'h')
            rook = Square::at(small - 'a', white ? 0 : 7);
        else
            return Error{"castling: " + quoted({&letter, 1})
                         + " is not K, Q, k, q or the file of a rook"};
        if (!rook)
            return Error{"castling: " + std::string{name(color)} + " has no rook for "
                         + quoted({&letter, 1})};
        if (rooks.contains(*rook))
            return Error{"castling: " + quoted(text) + " repeats a right"};
        rooks |= Bitboard{*rook};
    }
    return rooks;
}

Result<std::optional<Square>> read_en_passant(std::string_view text) {
    if (text == "-")
        return std::optional<Square>{};
    const auto square = Square::read(text);
    if (!square)
        return Error{"en passant: " + quoted(text) + " is not a square or -"};
    return std::optional{*square};
}

Result<int> read_counter(std::string_view text, const char* field) {
    const auto number = read_integer(text);
    if (!number || *number < 0 || *number > max_counter)
        return Error{std::string{field} + ": " + quoted(text) + " is not a number from 0 to "
                     + std::to_string(max_counter)};
    return static_cast<int>(*number);
}

/// The setup of 4 to 6 fields; the first error in their order.
Result<Setup> read_fields(const std::vector<std::string_view>& fields) {
    Setup setup;
    std::optional<Error> error;
    const auto take = [&error](auto& field, const auto& result) {
        if (result)
            field = *result;
        else
            error = result.error();
        return !error;
    };
    const bool complete =
        take(setup.board, read_board(fields[0])) && take(setup.side_to_move, read_side(fields[1]))
        && take(setup.castling_rooks, read_castling(fields[2], setup))
        && take(setup.en_passant, read_en_passant(fields[3]))
        && (fields.size() < 5
            || take(setup.halfmove_clock, read_counter(fields[4], "halfmove clock")))
        && (fields.size() < 6
            || take(setup.fullmove_number, read_counter(fields[5], "fullmove number")));
    if (!complete)
        return *error;
    return setup;
}

std::string board_field(const Position& position) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const auto piece = position.piece_on(Square::at(file, rank));
            if (!piece) {
                ++empty;
                continue;
            }
            if (empty > 0)
                text += std::to_string(std::exchange(empty, 0));
            text += piece->letter();
        }
        if (empty > 0)
            text += std::to_string(empty);
        if (rank > 0)
            text += '/';
    }
    return text;
}

char castling_letter(const Position& position, Color color, Side side, Square rook) {
    const Bitboard home = Bitboard::rank(rook.rank());
    bool outermost = true;
    for (const Square other : position.pieces(color, PieceType::rook) & home) {
        outermost = outermost
                 && (side == Side::king_side ? other.file() <= rook.file()
                                             : other.file() >= rook.file());
    }
    const char small =
        outermost ? (side == Side::king_side ? 'k' : 'q') : static_cast<char>('a' + rook.file());
    return color == Color::white ? static_cast<char>(small - 'a' + 'A') : small;
}

std::string castling_field(const Position& position) {
    std::string text;
    for (const Color color : both_colors) {
        for (const Side side : both_sides) {
            if (const auto rook = position.castling_rook(color, side))
                text += castling_letter(position, color, side, *rook);
        }
    }
    return text.empty() ? "-" : text;
}

}  // namespace

Result<Position> read_fen(std::string_view text) {
    std::vector<std::string_view> fields;
    Words words{text};
    while (const auto word = words.next()) {
        if (fields.size() == 6)
            return Error{"expected at most 6 fields, found " + quoted(*word) + " behind them"};
        fields.push_back(*word);
    }
    if (fields.size() < 4)
        return Error{
            "a FEN has 4 to 6 fields (board, side to move, castling, en passant, "
            "halfmove clock, fullmove number), not "
            + std::to_string(fields.size())};
    const auto setup = read_fields(fields);
    if (!setup)
        return setup.error();
    return Position::from(*setup);
}

std::string fen_with_en_passant(const Position& position, std::optional<Square> en_passant) {
    return board_field(position) + (position.side_to_move() == Color::white ? " w " : " b ")
         + castling_field(position) + " " + (en_passant ? en_passant->name() : "-") + " "
         + std::to_string(position.halfmove_clock()) + " "
         + std::to_string(position.fullmove_number());
}

std::string fen(const Position& position) {
    return fen_with_en_passant(position, position.en_passant());
}

}  // namespace core
