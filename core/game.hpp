#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/position.hpp"

namespace core {

/// How a game stands.
enum class Outcome : std::uint8_t {
    open,
    checkmate,
    stalemate,
    insufficient_material,
    threefold_repetition,
    fifty_moves
};

/// A position and how it came about: where the game started and the moves since.
class Game {
public:
    Game() : Game{Position::start()} {}
    explicit Game(const Position& start);

    /// Plays the moves, in coordinates or SAN: all of them, or none and the reason. The value
    /// is how many were played.
    Result<int> play(std::span<const std::string> moves);
    /// Plays one legal move.
    void play(Move move);
    /// Takes back that many plies; false, and nothing happens, when there are not so many.
    bool undo(int plies);

    const Position& start() const { return start_; }
    const Position& position() const { return position_; }
    const std::vector<Move>& moves() const { return moves_; }
    /// The key of every position from the start to the present one.
    std::span<const Key> keys() const { return keys_; }

    /// How often the present position has stood on the board, this time included.
    int occurrences() const;
    /// How the game stands. Checkmate comes before every draw; a draw that a player would have
    /// to claim (threefold repetition, fifty moves) counts at once.
    Outcome outcome() const;

    /// The square that a pawn has just jumped over, if the last move was such a double step.
    std::optional<Square> jumped_over() const;

    /// The FEN with an en passant square after each double step of a pawn, whether or not a
    /// capture is possible: what ChenServer and older programs write.
    std::string fen_after_double_step() const;

private:
    Position start_;
    Position position_;
    std::vector<Move> moves_;
    std::vector<Key> keys_;
};

}  // namespace core
