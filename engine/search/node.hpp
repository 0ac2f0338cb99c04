#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/position.hpp"

#include "engine/score.hpp"
#include "engine/search/history.hpp"
#include "engine/search/threats.hpp"
#include "engine/search/transposition.hpp"

namespace engine {

/// A principal variation: the moves that both players are expected to play.
class Line {  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
public:
    void clear() { length_ = 0; }
    void set(core::Move first, const Line& rest) {
        moves_[0] = first;
        length_ = std::min(rest.length_ + 1, moves_.size());
        std::copy_n(rest.moves_.begin(), length_ - 1, moves_.begin() + 1);
    }
    std::vector<core::Move> moves() const {
        return {moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(length_)};
    }

private:
    std::array<core::Move, max_ply> moves_;
    std::size_t length_ = 0;
};

/// The moves of one kind that were tried at a node before the best one was found.
class TriedMoves {  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
public:
    void clear() { size_ = 0; }
    void add(core::Move move) {
        if (size_ < moves_.size())
            moves_[size_++] = move;
    }
    const core::Move* begin() const { return moves_.data(); }
    const core::Move* end() const { return moves_.data() + size_; }

private:
    std::array<core::Move, 64> moves_;
    std::size_t size_ = 0;
};

/// What kind of node: the root; one on a line that may become the principal variation; or one
/// searched only to see whether it is better than a bound.
enum class NodeKind { root, pv, non_pv };

/// What is asked of a node: whether it is better than alpha or even than beta, at a depth.
struct Question {
    int depth = 0;
    Score alpha = draw;
    Score beta = draw;
    bool expects_cutoff = false;  ///< a move will probably refute the one before
    int reduction = 0;            ///< by how many plies the move before is tried with less
};

/// A move on trial at a node.
struct Candidate {
    core::Move move{};
    bool noisy = false;
    int number = 1;   ///< 1 is the first move of its node
    int history = 0;  ///< how well it did elsewhere
};

/// A position on the way of the search, with all that is known about it. The nodes of a line
/// stand one after the other, by ply.
struct Node {
    int ply = 0;
    core::Position position = core::Position::start();

    Question asked;
    std::optional<core::Move> excluded;  ///< search without this move

    // What is known before the moves are searched.
    std::optional<TableEntry> entry;
    Score raw_evaluation = draw;     ///< what the evaluation says; not in check
    Score static_evaluation = draw;  ///< the same, corrected by what was learnt
    Score evaluation = draw;         ///< the same, bettered by the table's score
    bool improving = false;          ///< better than two plies ago
    bool on_pv = false;              ///< is, or once was, on a principal variation
    int extension = 0;               ///< plies more for the table's move
    int double_extensions = 0;       ///< how many there were on the way here
    int cutoffs = 0;                 ///< that this ply has had below the node two plies above

    Threats threats;  ///< known once moves are searched

    // The move that is being searched, and what follows such a move.
    std::optional<core::Move> move;
    PieceToHistory* continuation = nullptr;

    // What has been found.
    int move_count = 0;
    Score best_score = -infinite;
    std::optional<core::Move> best_move;
    TriedMoves tried_quiets;
    TriedMoves tried_noisies;
    Line line;
    std::array<std::optional<core::Move>, 2> killers;

    bool in_check() const { return position.in_check(); }
    bool has_table_move() const { return entry && entry->move(); }
};

}  // namespace engine
