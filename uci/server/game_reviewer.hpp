#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/game.hpp"

#include "engine/analysis/review/game_review.hpp"

#include "uci/server/search_queue.hpp"

namespace uci::server {

/// The work for the review of a game.
struct ReviewLimits {
    std::uint64_t nodes = 100'000;      ///< of each position
    engine::Milliseconds time{10'000};  ///< the most for each position and for each explanation
    int multipv = 5;                    ///< pvs searched in the place of each mistake
};

/// Reviews a game by jobs of a SearchQueue, one after the other, while no player waits: the
/// positions from the last to the first, so that what comes later is known, then the mistakes.
/// Belongs to the queue's thread.
class GameReviewer : public std::enable_shared_from_this<GameReviewer> {
public:
    struct Progress {
        bool explains = false;  ///< the mistakes; before that the positions are searched
        std::size_t done = 0;
        std::size_t total = 0;
    };
    using Report = std::function<void(const Progress&)>;
    using Done = std::function<void(const engine::review::GameReview&)>;

    /// The jobs have the id and the client of the server's game.
    GameReviewer(SearchQueue& queue,
                 core::Game game,
                 std::string game_id,
                 std::string client,
                 ReviewLimits limits = {});
    ~GameReviewer();
    GameReviewer(const GameReviewer&) = delete;
    GameReviewer& operator=(const GameReviewer&) = delete;
    GameReviewer(GameReviewer&&) = delete;
    GameReviewer& operator=(GameReviewer&&) = delete;

    /// Begins. Calls `done` once and `report` after each job, both later, as long as this object
    /// lives. Error: the queue refuses the first job.
    std::optional<core::Error> start(Report report, Done done);

private:
    enum class Step : unsigned char { position, pvs, explanation };
    struct Task {
        Step step;
        std::size_t ply;  ///< of the position, or of the one before the mistake
    };

    bool submit_next();
    void submit_or_wait();
    void go_on();
    SearchJob job_for(const Task& task) const;
    void keep(const Task& task, const SearchResult& result);
    void judge();
    void end();
    core::Game game_at(std::size_t ply) const;

    SearchQueue& queue_;
    core::Game game_;
    std::string game_id_;
    std::string client_;
    ReviewLimits limits_;
    Report report_;
    Done done_;
    std::vector<engine::review::PositionReview> positions_;
    std::optional<engine::review::GameReview> review_;  ///< once all positions are searched
    std::deque<Task> tasks_;
    Progress progress_;
    std::optional<SearchQueue::JobId> job_;
};

}  // namespace uci::server
