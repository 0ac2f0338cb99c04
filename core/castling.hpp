#pragma once

#include <array>
#include <cstdint>

#include "core/move.hpp"

namespace core {

/// The two wings a king can castle to.
enum class Side : std::uint8_t { king_side, queen_side };

inline constexpr std::array both_sides{Side::king_side, Side::queen_side};

/// The king's square after castling.
[[nodiscard]] constexpr Square castled_king(Color color, Side side) noexcept {
    return Square::at(side == Side::king_side ? 6 : 2, color == Color::white ? 0 : 7);
}

/// The rook's square after castling.
[[nodiscard]] constexpr Square castled_rook(Color color, Side side) noexcept {
    return Square::at(side == Side::king_side ? 5 : 3, color == Color::white ? 0 : 7);
}

/// The side of a castling move, which goes from the king's square to the rook's.
[[nodiscard]] constexpr Side side_of_castling(Move move) noexcept {
    return move.to().file() > move.from().file() ? Side::king_side : Side::queen_side;
}

/// The square that the moving piece reaches: for castling, the king's.
[[nodiscard]] constexpr Square move_target(Move move) noexcept {
    if (move.kind() != Move::Kind::castling)
        return move.to();
    const auto color = move.from().rank() == 0 ? Color::white : Color::black;
    return castled_king(color, side_of_castling(move));
}

}  // namespace core
