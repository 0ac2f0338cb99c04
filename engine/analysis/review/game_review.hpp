#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/opening_names.hpp"
#include "core/pgn.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/analysis/jobs/local_runner.hpp"
#include "engine/analysis/review/winning_chance.hpp"
#include "engine/evaluate/evaluate.hpp"
#include "engine/limits.hpp"
#include "engine/response.hpp"
#include "engine/score.hpp"

namespace engine::review {

/// A principal variation.
struct ScoredPv {
    Score score = draw;  ///< for White, normalised()
    std::vector<core::Move> moves;
};

/// What a search says of a position.
struct PositionReview {
    Score score = draw;  ///< for White, normalised()
    int depth = 0;       ///< plies; 0 where nothing was searched, because the game is over
    std::vector<core::Move> pv;
    std::vector<ScoredPv> pvs;  ///< the best ones, `pv` first, if more than one was asked for
};

/// A move of the main line. A null move has a review too, and is fine.
struct MoveReview {
    std::optional<core::Move> move;
    PositionReview before;
    PositionReview after;
    Judgement judgement = Judgement::fine;
    double accuracy = 100;  ///< percent
    // What follows is for moves that are not fine.
    std::vector<ScoredPv> pvs;                        ///< add_pvs(): the best ones in its place
    std::optional<explain::Explanation> explanation;  ///< add_explanations(): why it is worse
};

/// The main line of a game, and the mean accuracy of White's and Black's moves: none without moves.
struct GameReview {
    std::vector<MoveReview> moves;
    std::optional<core::Opening> opening;
    std::array<std::optional<double>, 2> accuracy;
};

/// The positions of the main line with the moves that led there, from the start to the end: one
/// more than there are moves. A null move begins a new game, so that a position never repeats one
/// before it.
std::vector<core::Game> positions_of(const core::AnnotatedGame& game);

/// The review of a position in which the game has ended by the rules; nothing if it has not.
std::optional<PositionReview> review_of_end(const core::Game& game);

/// The review of a position from what a search has found: the best move, and the last report on
/// each pv. The scores are normalised().
PositionReview review_from(const core::Position& position,
                           const BestMove& best,
                           std::span<const Info> pvs);

/// The review of a game whose positions have been searched. With a player, only their moves are
/// judged.
GameReview review_of(const std::vector<core::Game>& positions,
                     const std::vector<PositionReview>& reviews,
                     std::optional<core::Color> player = {});

struct ReviewRules {
    /// Of each position, searched by one thread with an empty table, so that the result is the same
    /// with any number of threads and on any machine.
    std::uint64_t nodes = 200'000;
    /// Instead of nodes: time or plies for each position, from the last to the first, all threads
    /// with one table that is kept from position to position.
    std::optional<Milliseconds> time;
    std::optional<int> depth;
    int threads = 1;
    int megabytes = 64;  ///< of that table
};

/// Searches the positions of games.
class PositionReviewer {
public:
    /// Without a runner, in threads of this process. With one, each position is searched with an
    /// empty table, whatever the rules say.
    explicit PositionReviewer(const ReviewRules& rules, jobs::JobRunner* runner = nullptr)
        : rules_{rules},
          local_{static_cast<std::size_t>(rules.threads)},
          runner_{runner == nullptr ? &local_ : runner} {}

    /// Calls `progress` from any thread after each position. Error: `stop` was set meanwhile, or
    /// why a position cannot be searched. Throws std::bad_alloc or std::system_error if the system
    /// refuses the memory or the threads.
    core::Result<std::vector<PositionReview>> review(const std::vector<core::Game>& positions,
                                                     const std::atomic<bool>& stop,
                                                     const std::function<void()>& progress);

    /// Searches the positions of the moves that are not fine again, with this MultiPV. Errors and
    /// exceptions as above.
    std::optional<core::Error> add_pvs(GameReview& review,
                                       const std::vector<core::Game>& positions,
                                       int multipv,
                                       const std::atomic<bool>& stop);

    /// Explains the moves that are not fine and that a search for an explanation finds to be worse
    /// too. The explanations are the same with any number of threads. Errors and exceptions as
    /// above.
    std::optional<core::Error> add_explanations(GameReview& review,
                                                const std::vector<core::Game>& positions,
                                                const std::atomic<bool>& stop);

private:
    struct Search;

    std::optional<core::Error> run(Search& search);
    std::optional<core::Error> run_side_by_side(Search& search);
    void run_backwards(Search& search);
    jobs::Job job_of(const core::Game& game, int multipv) const;

    ReviewRules rules_;
    evaluate::Evaluate evaluate_;
    jobs::LocalRunner local_;
    jobs::JobRunner* runner_;
};

}  // namespace engine::review
