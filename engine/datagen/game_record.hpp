#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/move.hpp"
#include "core/position.hpp"
#include "core/result.hpp"

#include "engine/score.hpp"

// Self-play games as bytes, and sidelines: a few plies from a position that a search of a game has
// evaluated. The format is viriformat, which other engines' tools read too; they see a sideline as
// a short drawn game. All numbers are little-endian. A game is
//
//   32 bytes  its first position:
//      8      the occupied squares, bit 0 is a1, bit 63 is h8
//     16      four bits for each piece in the order of their squares, the lower half of a byte
//             first: 0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king, 6 a rook that may still
//             castle; 8 more for Black's
//      1      en passant square, 64 for none; 128 more when Black is to move
//      1      halfmove clock
//      2      fullmove number
//      2      a score of the position for White; Parley writes 0
//      1      the result: 0 Black won, 1 draw, 2 White won
//      1      1: a sideline, which has no result; else a game
//    4 bytes  for each ply:
//      2      the move: from (6 bits), to (6 bits; castling goes to the rook's square), promotion
//             (2 bits: knight, bishop, rook, queen), kind (2 bits: 1 en passant, 2 castling,
//             3 promotion)
//      2      the score that the search gave it, in centipawns for White; a mate is +-32000
//    4 bytes  of zeros: a move that no game has
namespace engine::datagen {

enum class GameResult : std::uint8_t { black_won, drawn, white_won };

struct RecordedMove {
    core::Move move{};
    Score score = draw;  ///< for White
    friend bool operator==(const RecordedMove&, const RecordedMove&) = default;
};

/// A self-play game, or a sideline.
struct GameRecord {
    core::Position start = core::Position::start();
    std::vector<RecordedMove> moves;
    std::optional<GameResult> result = GameResult::drawn;  ///< nothing: this is a sideline
    friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

/// The bytes of a game or sideline.
std::string write_game(const GameRecord& game);

/// Reads games from bytes, one after the other. Every move is checked against the rules, and every
/// score against the range up to a mate.
class GameReader {
public:
    /// The bytes must outlive the reader.
    explicit GameReader(std::string_view bytes) : bytes_{bytes} {}

    bool at_end() const { return offset_ == bytes_.size(); }
    /// The next game. Error: what is wrong with it; the reader then stays where it is.
    core::Result<GameRecord> next();
    /// How many bytes the games read so far take.
    std::size_t offset() const { return offset_; }

private:
    std::string_view bytes_;
    std::size_t offset_ = 0;
};

/// Whether a position may be used for training, if the move found there allows it: after the random
/// opening, not in check, and with at least five pieces.
bool may_be_training_position(const core::Position& position);

/// Whether a position and the move found there are used for training: one that may be, a quiet best
/// move, and a score below that of a known win.
bool is_training_position(const core::Position& position, const RecordedMove& move);

}  // namespace engine::datagen
