#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/pgn.hpp"

#include "engine/evaluate/evaluate.hpp"
#include "engine/limits.hpp"
#include "engine/review/winning_chance.hpp"
#include "engine/score.hpp"

namespace engine::review {

/// What a search says of a position.
struct PositionReview {
    Score score = draw;  ///< for White, normalised()
    int depth = 0;       ///< plies; 0 where nothing was searched, because the game is over
    std::vector<core::Move> line;
};

/// A move of the main line. A null move has a review too, and is fine.
struct MoveReview {
    std::optional<core::Move> move;
    PositionReview before;
    PositionReview after;
    Judgement judgement = Judgement::fine;
    double accuracy = 100;  ///< percent
};

/// The main line of a game, and the mean accuracy of White's and Black's moves: none without moves.
struct GameReview {
    std::vector<MoveReview> moves;
    std::array<std::optional<double>, 2> accuracy;
};

/// The positions of the main line with the moves that led there, from the start to the end: one more
/// than there are moves. A null move begins a new game, so that a position never repeats one before
/// it.
std::vector<core::Game> positions_of(const core::AnnotatedGame& game);

/// The review of a game whose positions have been searched.
GameReview review_of(const std::vector<core::Game>& positions,
                     const std::vector<PositionReview>& reviews);

struct ReviewRules {
    /// Of each position, searched by one thread with an empty table, so that the result is the same
    /// with any number of threads and on any machine.
    std::uint64_t nodes = 200'000;
    /// Instead of nodes: time for each position, from the last to the first, all threads with one
    /// table that is kept from position to position.
    std::optional<Milliseconds> time;
    int threads = 1;
    int megabytes = 64;  ///< of that table
};

/// Searches the positions of games.
class PositionReviewer {
public:
    explicit PositionReviewer(const ReviewRules& rules) : rules_{rules} {}

    /// Calls `progress` from any thread after each position. Nothing if `stop` was set meanwhile.
    /// Throws std::bad_alloc or std::system_error if the system refuses the memory or the threads.
    std::optional<std::vector<PositionReview>> review(const std::vector<core::Game>& positions,
                                                      const std::atomic<bool>& stop,
                                                      const std::function<void()>& progress) const;

private:
    void review_by_nodes(const std::vector<core::Game>& positions,
                         std::vector<PositionReview>& reviews,
                         const std::atomic<bool>& stop,
                         const std::function<void()>& progress) const;
    void review_by_time(const std::vector<core::Game>& positions,
                        std::vector<PositionReview>& reviews,
                        const std::atomic<bool>& stop,
                        const std::function<void()>& progress) const;

    ReviewRules rules_;
    evaluate::Evaluate evaluate_;
};

}  // namespace engine::review
