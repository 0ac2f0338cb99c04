#pragma once

#include <array>
#include <optional>

#include "core/movegen.hpp"

#include "engine/search/history.hpp"
#include "engine/search/threats.hpp"

namespace engine {

/// What the picker needs to know to put moves into a good order.
struct PickerContext {
    const core::Position& position;
    Histories& histories;
    std::optional<core::Move> table_move;
    std::array<std::optional<core::Move>, 2> killers{};
    std::array<const PieceToHistory*, 3> continuations{};  ///< after the moves 1, 2, 4 plies ago
    Threats threats{};                                     ///< not needed for noisy moves
};

/// Gives the legal moves of a position one after the other, the most promising first, and makes
/// them only when they are needed: the table's move, captures that win, killers, quiet moves by
/// their history, captures that lose.
class MovePicker {
public:
    enum class Wanted : unsigned char { all, noisy };

    MovePicker(const PickerContext& context, Wanted wanted);

    std::optional<core::Move> next() {
        // Put together here, where the compiler sees what becomes of it: a function gives so small
        // an optional back through memory, and in two pieces that the processor has to wait for.
        return find_next() ? std::optional{found_} : std::nullopt;
    }
    /// From now on gives no more quiet moves.
    void skip_quiets() { skipping_quiets_ = true; }

    /// Whether the move that it has just given is a capture that was seen to win the exchange.
    bool knows_that_it_wins() const { return stage_ == Stage::winning_noisies; }

    /// Whether a quiet move that it has just given attacks the enemy king itself.
    bool gives_check(core::Move move) const {
        const auto type = context_.position.known_piece_on(move.from()).type();
        return checking_squares_[core::index_of(type)].contains(move.to());
    }

private:
    enum class Stage : unsigned char {
        table_move,
        make_noisies,
        winning_noisies,
        killers,
        make_quiets,
        quiets,
        losing_noisies,
        done
    };

    struct Scored {
        core::Move move;
        int score;
    };

    // Each tells whether there is one, and leaves it in found_.
    bool find_next();
    bool find_winning_noisy();
    bool find_killer();
    bool find_rest();
    bool found(core::Move move) {
        found_ = move;
        return true;
    }
    void make(core::MoveKinds kinds);
    int score_noisy(core::Move move) const;
    int score_quiet(core::Move move) const;
    void look_around();
    core::Move take_best();
    bool was_given(core::Move move) const;

    PickerContext context_;
    Wanted wanted_;
    Stage stage_ = Stage::table_move;
    bool skipping_quiets_ = false;
    core::Move found_;
    std::size_t killer_index_ = 0;

    // By type of piece, once quiet moves are made; no pawn fears anything, nor does a king here.
    std::array<core::Bitboard, 6> checking_squares_{};
    std::array<core::Bitboard, 6> feared_squares_{};

    // Moves still to be given are [next_, end_); noisy ones put aside are [0, losing_end_).
    std::array<Scored, core::MoveList::capacity> moves_;
    std::size_t next_ = 0;
    std::size_t end_ = 0;
    std::size_t losing_end_ = 0;
};

}  // namespace engine
