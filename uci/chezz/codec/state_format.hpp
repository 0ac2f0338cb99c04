#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/piece.hpp"
#include "core/zobrist.hpp"

// The bytes in which chezz stores and sends a game of standard chess:
//
//    1 byte   side to move: 0 White, 1 Black. The server's formats add 8 for version 1 of the
//             layout, and 4 if the last move was a pawn's double step
//    1        side in check: 0 White, 1 Black, 2 none
//    1        0 the game goes on, or is drawn but not by stalemate; 1 checkmate; 2 stalemate
//    1        castling rights: 1 White queen side, 2 White king side, 4 and 8 the same for Black
//   64        the board, a1, b1 ... h8: 0 empty, 1 pawn, 2 bishop, 3 knight, 4 rook, 5 queen,
//             6 king; plus 8 for a black piece, plus 16 for a piece that has moved
//    n        the captured pieces in order, each with the value that it had on the board
//    1        0, the end of the captured pieces
//    n        the moves, two or three bytes each: from, to, and if 128 is added to "to" a tag:
//             1 queen, 2 knight, 3 bishop, 4 rook promotion; 5 en passant capture.
//             Castling is the king's move of two squares
//
// All other bytes follow from the moves.
namespace uci::chezz::codec {

using Bytes = std::vector<std::uint8_t>;

/// Which program's variant of the layout.
enum class StateFormat : std::uint8_t {
    /// The front end's: the first byte is the side to move alone.
    front_end,
    /// chezz-back's.
    server,
    /// chezz-back's with its known bug: a piece captured by a promoting pawn is missing from the
    /// captured pieces, and if it was a rook, the right to castle with it remains.
    server_with_capture_bug
};

inline constexpr std::size_t turn_at = 0;
inline constexpr std::size_t check_at = 1;
inline constexpr std::size_t status_at = 2;
inline constexpr std::size_t rights_at = 3;
inline constexpr std::size_t board_at = 4;
inline constexpr std::size_t captured_at = board_at + core::Square::count;
/// The size of a game without moves.
inline constexpr std::size_t min_bytes = captured_at + 1;

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

/// The piece types in the order of their numbers, which begin with 1.
inline constexpr std::array numbered_types{core::PieceType::pawn,   core::PieceType::bishop,
                                           core::PieceType::knight, core::PieceType::rook,
                                           core::PieceType::queen,  core::PieceType::king};

inline constexpr int square_mask = 63;
inline constexpr int tag_flag = 128;
inline constexpr int en_passant_tag = 5;

/// The promotions in the order of their tags, which begin with 1.
inline constexpr std::array tagged_promotions{core::PieceType::queen, core::PieceType::knight,
                                              core::PieceType::bishop, core::PieceType::rook};

}  // namespace uci::chezz::codec
