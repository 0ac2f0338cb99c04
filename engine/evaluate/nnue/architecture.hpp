#pragma once

#include <cstddef>
#include <cstdint>

#include "core/piece.hpp"
#include "core/square.hpp"

// The network: 768 inputs for each player's view of the board, N hidden values for each view, one
// output.
//
//   accumulator of a view   a = b + the rows of W for all pieces on the board
//   hidden value            h = clamp(a, 0, 1) squared
//   output                  o = w_own . h_own + w_other . h_other + c
//
// where "own" is the view of the player to move. In whole numbers, W and b are multiples of 1/qa,
// w of 1/qb and c of 1/(qa qb); the score in centipawns is
//
//   (sum of clamp(a, 0, qa)^2 w / qa + c) scale / (qa qb)
//
// with divisions that cut off.
namespace engine::nnue {

inline constexpr std::size_t feature_count = 768;
/// Hidden values of a view: no network has more, and each has a multiple of the second.
inline constexpr std::size_t widest = 1'024;
inline constexpr std::size_t width_step = 32;

using Value = std::int16_t;

/// How a player looks at the board: from the own side, and through a mirror when the own king
/// stands on the files e to h, so that all networks know only kings on a to d.
struct View {
    core::Color player{};
    bool mirrored = false;
    friend constexpr bool operator==(const View&, const View&) = default;
};

constexpr View view_of(core::Color player, core::Square own_king) {
    return {player, own_king.file() >= 4};
}

/// The input that a piece on a square switches on: 384 for the opponent's pieces, 64 for each type
/// in the order of PieceType, and the square as the player sees it.
constexpr std::size_t feature(View view, core::Piece piece, core::Square square) {
    const auto seen = static_cast<std::size_t>(square.seen_by(view.player).index());
    return (piece.color() == view.player ? 0U : 384U) + 64 * core::index_of(piece.type())
         + (view.mirrored ? seen ^ 7U : seen);
}

}  // namespace engine::nnue
