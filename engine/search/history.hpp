#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "core/position.hpp"

#include "engine/score.hpp"
#include "engine/search/parameters.hpp"
#include "engine/search/threats.hpp"

namespace engine::search {

/// One learnt number within +-limit. An update moves it towards the bonus, by less the nearer it is
/// to the limit ("history gravity").
template <int limit>
class HistoryEntry {
public:
    int value() const { return value_; }
    void update(int bonus) {
        bonus = std::clamp(bonus, -limit, limit);
        value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / limit);
    }

private:
    std::int16_t value_ = 0;
};

using HistoryValue = HistoryEntry<parameters::history_limit>;
using CorrectionValue = HistoryEntry<parameters::correction_limit>;

inline constexpr std::size_t squares = core::Square::count;
inline constexpr std::size_t piece_to_count = core::Piece::count * squares;

/// The index of a piece and the square it moves to.
inline std::size_t piece_to(core::Piece piece, core::Square to) {
    return piece.index() * squares + core::index_of(to);
}

using PieceToHistory = std::array<HistoryValue, piece_to_count>;

/// The plies next to the root that have a history of their own.
inline constexpr int low_plies = 4;

/// How many plies ago the moves were that the continuation history looks at.
inline constexpr std::array continuation_plies{1, 2, 4};

/// What the histories of the moves of one node depend on.
struct HistoryContext {
    explicit HistoryContext(const core::Position& node, std::optional<Threats> known = std::nullopt)
        : position{node},
          threats_{known} {}

    /// Found when a quiet move first needs them: many nodes are cut off by a capture before.
    const Threats& threats() const {
        if (!threats_)
            threats_ = threats_in(position);
        return *threats_;
    }

    const core::Position& position;
    /// Of the moves continuation_plies ago.
    std::array<PieceToHistory*, continuation_plies.size()> continuations{};
    int ply = max_ply;  ///< from the root of the search

private:
    mutable std::optional<Threats> threats_;
};

/// Everything that a thread learns in a game: how well moves did elsewhere in the tree, and how far
/// off the static evaluation was. To add a table: declare it, and read and update it in the
/// functions of its kind; move ordering, pruning and LMR all go through them.
class Histories {
public:
    /// How well a quiet move did: for pruning, LMR and move ordering alike.
    int quiet_score(const HistoryContext& context, core::Move move) const {
        const std::array<int, continuation_plies.size()> weights{parameters::continuation_weight_1,
                                                                 parameters::continuation_weight_2,
                                                                 parameters::continuation_weight_4};
        const auto index = piece_to_of(context.position, move);
        int score = 100 * butterfly_[butterfly_index(context, move)].value();
        for (std::size_t i = 0; i < context.continuations.size(); ++i)
            score += weights[i] * (*context.continuations[i])[index].value();
        score /= 100;
        if (context.ply < low_plies)
            score += 2 * low_ply_[low_ply_index(context, move)].value() / (1 + context.ply);
        return score;
    }
    /// How well a capture or promotion did.
    int capture_score(const core::Position& position, core::Move move) const {
        return capture_[capture_index(position, move)].value();
    }

    void update_quiet(const HistoryContext& context, core::Move move, int bonus);
    void update_continuation(const HistoryContext& context, core::Move move, int bonus);
    void update_capture(const core::Position& position, core::Move move, int bonus);

    /// What to add to the static evaluation, in centipawns for the side to move.
    Score correction(const core::Position& position) const;
    /// A search to this depth returned the static evaluation plus this difference.
    void update_correction(const core::Position& position, int depth, Score difference);

    /// The continuation history after a move of this piece to that square, and after no move.
    PieceToHistory& continuation(core::Piece piece, core::Square to) {
        return continuation_[piece_to(piece, to)];
    }
    PieceToHistory& no_continuation() { return continuation_.back(); }

    /// Forgets what belongs to one search: it begins with another root.
    void begin_search() { low_ply_ = {}; }
    /// Forgets everything.
    void clear();

private:
    static constexpr std::size_t correction_size = 16'384;
    using CorrectionTable = std::array<std::array<CorrectionValue, correction_size>, 2>;
    struct CorrectionIndices {
        std::size_t stm;
        std::size_t pawns;
        std::size_t white;
        std::size_t black;
        std::size_t minors;
    };

    static std::size_t piece_to_of(const core::Position& position, core::Move move) {
        return piece_to(position.piece_at_unchecked(move.from()), move.to());
    }
    static CorrectionIndices correction_indices(const core::Position& position);

    static std::size_t butterfly_index(const HistoryContext& context, core::Move move) {
        const auto threats = context.threats().by_any;
        const std::size_t threatened =
            (threats.contains(move.from()) ? 1U : 0U) + (threats.contains(move.to()) ? 2U : 0U);
        const std::size_t stm = core::index_of(context.position.side_to_move());
        return (4 * stm + threatened) * squares * squares + from_to(move);
    }
    static std::size_t low_ply_index(const HistoryContext& context, core::Move move) {
        return static_cast<std::size_t>(context.ply) * squares * squares + from_to(move);
    }
    static std::size_t from_to(core::Move move) {
        return core::index_of(move.from()) * squares + core::index_of(move.to());
    }
    static std::size_t capture_index(const core::Position& position, core::Move move) {
        const auto victim = position.piece_on(move.to());
        return 6 * piece_to_of(position, move) + (victim ? core::index_of(victim->type()) : 0);
    }

    /// Quiet moves by side to move, by whether the opponent attacks their origin (1) and target
    /// (2), and by from and to.
    std::array<HistoryValue, squares * squares * 4 * 2> butterfly_;
    /// Quiet moves near the root by ply, from and to.
    std::array<HistoryValue, squares * squares * low_plies> low_ply_;
    /// Captures and promotions by piece, target and captured piece.
    std::array<HistoryValue, 6 * piece_to_count> capture_;
    /// Quiet moves by piece and target of an earlier move and by their own. The last row follows no
    /// move: a null move or the root.
    std::array<PieceToHistory, piece_to_count + 1> continuation_;

    // How far the search was from the static evaluation, by side to move and by a hash of: pawns,
    // the other pieces of each player, minor pieces.
    CorrectionTable pawn_correction_;
    CorrectionTable white_correction_;
    CorrectionTable black_correction_;
    CorrectionTable minor_correction_;
};

/// The history bonus for a beta cutoff at this depth.
inline int history_bonus(int depth) {
    return std::clamp(parameters::history_bonus_factor * depth - parameters::history_bonus_offset,
                      0, parameters::history_bonus_max);
}

}  // namespace engine::search
