#pragma once

#include <cstdint>

#include "core/attacks.hpp"
#include "core/castling.hpp"
#include "core/piece.hpp"
#include "core/polyglot_numbers.hpp"

namespace core {

/// A Zobrist hash of a position. Positions with equal keys are treated as equal.
using Key = std::uint64_t;

namespace zobrist {

/// Polyglot orders the pieces black pawn, white pawn, black knight ... white king.
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

[[nodiscard]] inline Key piece(Piece piece, Square square) noexcept {
    return piece_keys[piece.index()][index_of(square)];
}

[[nodiscard]] inline Key castling(Color color, Side side) noexcept {
    return detail::polyglot_numbers[768 + 2 * index_of(color) + static_cast<std::size_t>(side)];
}

[[nodiscard]] inline Key en_passant(Square square) noexcept {
    return detail::polyglot_numbers[772 + detail::file_index(square)];
}

[[nodiscard]] inline Key white_to_move() noexcept {
    return detail::polyglot_numbers[780];
}

}  // namespace zobrist

}  // namespace core
