#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/position.hpp"

namespace core {

/// How a game ended by the rules; `open` if it has not.
enum class Outcome : std::uint8_t {
    open,
    checkmate,
    stalemate,
    insufficient_material,
    threefold_repetition,
    fifty_moves
};

/// A game: its start position, the moves since, and the current position.
class Game {
public:
    Game() : Game{Position::start()} {}
    explicit Game(const Position& start);

    /// Plays moves given in coordinate notation or SAN: all of them, or none. Returns how many were
    /// played. Error: the first move that cannot be played, and why.
    Result<int> play(std::span<const std::string> moves);
    /// Plays one move, which must be legal.
    void play(Move move);
    /// Takes back that many plies; returns false and changes nothing if there are fewer.
    [[nodiscard]] bool undo(int plies);

    [[nodiscard]] const Position& start() const noexcept { return start_; }
    [[nodiscard]] const Position& position() const noexcept { return position_; }
    [[nodiscard]] const std::vector<Move>& moves() const noexcept { return moves_; }
    /// The keys of all positions from the start to the current one: moves().size() + 1.
    [[nodiscard]] std::span<const Key> keys() const noexcept { return keys_; }

    /// How often the current position has occurred, this time included.
    [[nodiscard]] int occurrences() const;
    /// The outcome by the rules. Checkmate takes precedence over every draw. Threefold repetition
    /// and the fifty-move rule count without a claim.
    [[nodiscard]] Outcome outcome() const;

    /// The square passed over by the last move if that was a double push of a pawn: FEN's en
    /// passant target square in its first sense, whether or not a capture is possible.
    [[nodiscard]] std::optional<Square> en_passant_target() const;

    /// The FEN with en_passant_target() in its field, as ChenServer and older programs write it;
    /// fen() has only a square on which a capture is legal.
    [[nodiscard]] std::string fen_with_en_passant_target() const;

private:
    Position start_;
    Position position_;
    std::vector<Move> moves_;
    std::vector<Key> keys_;
};

}  // namespace core
