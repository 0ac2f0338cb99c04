#pragma once

#include <array>
#include <optional>

#include "core/movegen.hpp"

#include "engine/search/history.hpp"

namespace engine::search {

/// Gives the legal moves of a position one after the other, the most promising first, and generates
/// them in stages: TT move, captures and promotions that SEE does not lose, quiet moves by
/// history, losing captures. Where noisy moves are wanted, only the first two.
class MovePicker {
public:
    enum class Wanted : unsigned char { all, noisy };

    /// Refers to the histories and to the context as long as it lives.
    MovePicker(const Histories& histories,
               const HistoryContext& context,
               std::optional<core::Move> tt_move,
               Wanted wanted);

    std::optional<core::Move> next() {
        // Made here, where it is inlined: a function returns so small an optional through memory,
        // in two parts, and the caller would wait for the store.
        return find_next() ? std::optional{found_} : std::nullopt;
    }
    /// From now on gives no more quiet moves.
    void skip_quiets() { skipping_quiets_ = true; }

    /// Whether the move just given is a capture that passed SEE.
    bool last_was_good_capture() const { return stage_ == Stage::good_captures; }

    /// Whether a quiet move just given is a direct check.
    bool gives_check(core::Move move) const {
        const auto type = position().piece_at_unchecked(move.from()).type();
        return checking_squares_[core::index_of(type)].contains(move.to());
    }

private:
    enum class Stage : unsigned char {
        tt_move,
        generate_captures,
        good_captures,
        generate_quiets,
        quiets,
        bad_captures,
        done
    };

    struct ScoredMove {
        core::Move move;
        int score;
    };

    const core::Position& position() const { return context_.position; }

    // Each returns whether there is a move, and leaves it in found_.
    bool find_next();
    bool find_good_capture();
    bool find_quiet_or_bad_capture();
    bool found(core::Move move) {
        found_ = move;
        return true;
    }
    void generate(core::MoveKinds kinds);
    int score_capture(core::Move move) const;
    int score_quiet(core::Move move) const;
    void init_check_and_threat_masks();
    core::Move select_best();

    const Histories& histories_;
    const HistoryContext& context_;
    std::optional<core::Move> tt_move_;
    Wanted wanted_;
    Stage stage_ = Stage::tt_move;
    bool skipping_quiets_ = false;
    core::Move found_;

    // By piece type, set before the quiet moves: from where a piece gives check, and where a less
    // valuable piece attacks it (nowhere for pawns and kings).
    std::array<core::Bitboard, 6> checking_squares_{};
    std::array<core::Bitboard, 6> attacked_by_lesser_{};

    // Moves still to be given are [next_, end_), bad captures put aside are [0, bad_end_).
    std::array<ScoredMove, core::MoveList::capacity> moves_;
    std::size_t next_ = 0;
    std::size_t end_ = 0;
    std::size_t bad_end_ = 0;
};

}  // namespace engine::search
