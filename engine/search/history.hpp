#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "core/position.hpp"

#include "engine/search/correction.hpp"
#include "engine/search/parameters.hpp"

namespace engine {

/// One remembered number: how well a move did. It is pulled towards each new experience, the
/// less the nearer it is to the limit already.
class HistoryValue {
public:
    int value() const { return value_; }
    void learn(int bonus) {
        bonus = std::clamp(bonus, -parameters::history_limit, parameters::history_limit);
        value_ = static_cast<std::int16_t>(value_ + bonus
                                           - value_ * std::abs(bonus) / parameters::history_limit);
    }

private:
    std::int16_t value_ = 0;
};

inline constexpr std::size_t squares = core::Square::count;
inline constexpr std::size_t piece_to_count = core::Piece::count * squares;

/// A piece and the square it moves to, as an index.
inline std::size_t piece_to(core::Piece piece, core::Square to) {
    return piece.index() * squares + core::index_of(to);
}

using PieceToHistory = std::array<HistoryValue, piece_to_count>;

/// What a thread has learnt about moves: everything that a new game forgets.
struct Histories {
    /// Quiet moves, by player, whether the opponent attacks where they come from (1) and where they
    /// go (2), and by from and to.
    std::array<std::array<std::array<HistoryValue, squares * squares>, 4>, 2> butterfly;
    /// Captures and promotions, by piece, target and the piece taken.
    std::array<std::array<HistoryValue, 6>, piece_to_count> capture;
    /// Quiet moves that follow a move, by the earlier piece and target and by their own. The
    /// last row follows no move.
    std::array<PieceToHistory, piece_to_count + 1> continuation;

    Corrections corrections;

    void clear();

    /// Of a quiet move, where the opponent attacks these squares.
    HistoryValue& of_quiet(core::Color player, core::Move move, core::Bitboard attacked) {
        const std::size_t danger =
            (attacked.contains(move.from()) ? 1U : 0U) + (attacked.contains(move.to()) ? 2U : 0U);
        return butterfly[core::index_of(player)][danger]
                        [core::index_of(move.from()) * squares + core::index_of(move.to())];
    }
    HistoryValue& of_noisy(const core::Position& position, core::Move move) {
        const auto taken = position.piece_on(move.to());
        return capture[piece_to(position.known_piece_on(move.from()), move.to())]
                      [taken ? core::index_of(taken->type()) : 0];
    }
    PieceToHistory& no_continuation() { return continuation.back(); }
};

/// How much a cutoff at this depth teaches.
inline int history_bonus(int depth) {
    return std::clamp(parameters::history_bonus_factor * depth - parameters::history_bonus_offset,
                      0, parameters::history_bonus_most);
}

}  // namespace engine
