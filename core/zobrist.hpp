#pragma once

#include <cstdint>

#include "core/attacks.hpp"
#include "core/piece.hpp"
#include "core/polyglot_numbers.hpp"

namespace core {

/// A hash of a position. Two positions with the same key are taken for the same position.
using Key = std::uint64_t;

/// Which rook a king castles with.
enum class Side : std::uint8_t { king_side, queen_side };

inline constexpr std::array both_sides{Side::king_side, Side::queen_side};

namespace zobrist {

/// Polyglot numbers the pieces black pawn, white pawn, black knight ... white king.
inline constexpr auto piece_keys = [] {
    std::array<std::array<Key, 64>, Piece::count> keys{};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto piece = Piece::from_index(i);
        const auto kind = 2 * index_of(piece.type()) + (piece.color() == Color::white ? 1U : 0U);
        for (std::size_t square = 0; square < keys[i].size(); ++square)
            keys[i][square] = detail::polyglot_numbers[64 * kind + square];
    }
    return keys;
}();

inline Key piece(Piece piece, Square square) {
    return piece_keys[piece.index()][index_of(square)];
}

inline Key castling(Color color, Side side) {
    return detail::polyglot_numbers[768 + 2 * index_of(color) + static_cast<std::size_t>(side)];
}

inline Key en_passant(Square square) {
    return detail::polyglot_numbers[772 + detail::file_index(square)];
}

inline Key white_to_move() {
    return detail::polyglot_numbers[780];
}

}  // namespace zobrist

}  // namespace core
