#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/piece.hpp"
#include "core/zobrist.hpp"

// A game of standard chess as bytes, as chezz keeps and sends it:
//
//    1 byte   0: White is to move, 1: Black. In the server's forms 8 more, for version 1 of the
//             layout, and 4 more when the last move was a double step of a pawn
//    1        who is in check: 0 White, 1 Black, 2 nobody
//    1        0: the game goes on, or is drawn by anything but stalemate; 1 mate; 2 stalemate
//    1        castling rights: 1 White's queen side, 2 king side, 4 and 8 the same for Black
//   64        the board, a1, b1 ... h8: 0, or 1 pawn, 2 bishop, 3 knight, 4 rook, 5 queen, 6 king;
//             8 more for a piece of Black's, 16 more for one that has moved
//    n        the captured pieces, in order, each as it stood on the board
//    1        0
//    n        the moves, two or three bytes each: from, to, and where 128 is added to "to" a tag:
//             1 queen, 2 knight, 3 bishop, 4 rook of a promotion; 5 a capture en passant.
//             Castling is the king's move of two squares
//
// Everything but the moves follows from them.
namespace uci::chezz {

using Bytes = std::vector<std::uint8_t>;

/// Whose way of writing the bytes.
enum class Form : std::uint8_t {
    /// The front end's: it plays Black's moves only when the first byte is exactly 1.
    front_end,
    /// The server's, chezz-back's.
    server,
    /// The server's with its known mistake: a piece taken by a pawn that promotes is missing among
    /// the captured ones, and if it was a rook, the right to castle with it remains.
    flawed_server
};

inline constexpr std::size_t turn_at = 0;
inline constexpr std::size_t check_at = 1;
inline constexpr std::size_t status_at = 2;
inline constexpr std::size_t rights_at = 3;
inline constexpr std::size_t board_at = 4;
inline constexpr std::size_t captured_at = board_at + core::Square::count;
/// A game without captures or moves.
inline constexpr std::size_t fewest_bytes = captured_at + 1;

inline constexpr int turn_mask = 3;
inline constexpr int double_step_flag = 4;
inline constexpr int version_shift = 3;
inline constexpr int server_version = 1;

inline constexpr int nobody_in_check = 2;

enum class Status : std::uint8_t { open, checkmate, stalemate };

inline constexpr int all_castling_rights = 15;

constexpr int castling_bit(core::Color color, core::Side side) {
    return (side == core::Side::queen_side ? 1 : 2) << (color == core::Color::white ? 0 : 2);
}

inline constexpr int type_mask = 7;
inline constexpr int black_flag = 8;
inline constexpr int moved_flag = 16;

/// The types in the order of their numbers, which begin with 1.
inline constexpr std::array numbered_types{core::PieceType::pawn,   core::PieceType::bishop,
                                           core::PieceType::knight, core::PieceType::rook,
                                           core::PieceType::queen,  core::PieceType::king};

inline constexpr int square_mask = 63;
inline constexpr int tag_flag = 128;
inline constexpr int en_passant_tag = 5;

/// What a pawn becomes, in the order of the tags, which begin with 1.
inline constexpr std::array tagged_promotions{core::PieceType::queen, core::PieceType::knight,
                                              core::PieceType::bishop, core::PieceType::rook};

}  // namespace uci::chezz
