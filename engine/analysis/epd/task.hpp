#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/position.hpp"

#include "engine/limits.hpp"
#include "engine/score.hpp"

namespace engine::epd {

struct MovePoints {
    core::Move move{};
    int points = 0;
};

/// A position of a suite and what its EPD line says of the right move.
struct Task {
    std::string id;  ///< empty without one
    core::Position position = core::Position::start();
    std::vector<core::Move> best_moves;   ///< bm: one of them must be played
    std::vector<core::Move> avoid_moves;  ///< am: none of them may be played
    std::optional<int> mate_in;           ///< dm: a mate in so many moves must be found
    std::vector<MovePoints> points;       ///< of moves, as in the Strategic Test Suite

    /// Whether there is anything to judge an answer by.
    bool is_scored() const {
        return !best_moves.empty() || !avoid_moves.empty() || mate_in || !points.empty();
    }
    /// The points of the best move; 0 without points.
    int most_points() const;
};

/// Reads an EPD line or a FEN. Takes `bm`, `am`, `dm`, `id`, `hmvc`, `fmvn` and points: "Nf3=10,
/// e4=5" in `c0`, or the moves of `c9` with the numbers of `c8`, which take precedence. Other
/// operations are skipped. Error: what is wrong with the position or an operation.
core::Result<Task> read_task(std::string_view line);

/// Whether a line of a suite has no position: blank lines and comments, which begin with # or //.
bool is_comment(std::string_view line);

/// When in a search something was.
struct Moment {
    Milliseconds time{0};
    std::uint64_t nodes = 0;
    int depth = 0;
};

/// What a search has come to.
struct Answer {
    std::optional<core::Move> move;  ///< nothing if none is legal
    Score score = draw;              ///< for the side to move, normalised()
    std::vector<core::Move> pv;
    Moment end;
    std::optional<Moment> found;  ///< since when the answer was right until the end
};

/// How well an answer does a task.
struct TaskScore {
    bool solved = false;
    int points = 0;
};

/// Scores a move and its score from the search: all that the task asks for must hold. Where there
/// are only points, the move with the most solves it.
TaskScore score_answer(const Task& task, core::Move move, Score score);

}  // namespace engine::epd
